// Which rights Landlock takes away, per version of its ABI. Called when a launch spec is written.
// It must never leave out a right that the running kernel can take: no rule gives any back, because the program
// itself is a sealed memfd, which Landlock does not cover. Contract page, "Runtime", rows Filesystem and Network.

/** struct landlock_ruleset_attr: as many bytes as this kernel knows, and the handled rights. */
export interface LandlockPlan {
  readonly bytes: 8 | 16 | 24;
  readonly files: bigint;
  readonly network: bigint;
  readonly scopes: bigint;
}

/** Rights added by each ABI, oldest first; a version that added none to a column repeats the one before. */
const PLANS: readonly LandlockPlan[] = [
  { bytes: 8, files: 0x1fffn, network: 0n, scopes: 0n }, // 1: execute, read, write, directories
  { bytes: 8, files: 0x3fffn, network: 0n, scopes: 0n }, // 2: rename and link across directories
  { bytes: 8, files: 0x7fffn, network: 0n, scopes: 0n }, // 3: truncate
  { bytes: 16, files: 0x7fffn, network: 0x3n, scopes: 0n }, // 4: TCP bind and connect
  { bytes: 16, files: 0xffffn, network: 0x3n, scopes: 0n }, // 5: ioctl on devices
  { bytes: 24, files: 0xffffn, network: 0x3n, scopes: 0x3n }, // 6: abstract UNIX sockets, signals
];

/** `abi` as the kernel reports it, at least 1; a newer kernel gets the newest plan here. */
export function planLandlock(abi: number): LandlockPlan {
  const plan = PLANS[Math.min(abi, PLANS.length) - 1];
  if (plan === undefined) throw new Error('landlock: no plan without the kernel feature');
  return plan;
}
