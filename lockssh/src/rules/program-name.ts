// The names under which a program of a rule may stand in the table of risky programs: its base name in lower case,
// with and without version and variant. Called by the review. It must never miss a name to avoid a needless warning.

const EXECUTABLE = /\.(?:exe|com|bat|cmd|bin|real|distrib)$/;
/** `.basic`, `-static`: how Debian and others name variants of one program. */
const VARIANT =
  /[.-](?:basic|tiny|nox|gtk\d?|athena|gnome|traditional|openbsd|static|minimal|full|core|stable|dbg|debug)$/;
/** `3`, `3.11`, `-12`, `_2.7`, `5.36.0`, `3.11m`. */
const VERSION = /[-_.]?v?\d+(?:[._]\d+)*[a-z]?$/;
/** `fsck.ext4`, `iptables.legacy`: whatever stands behind the last dot. */
const LAST_PART = /\.[a-z0-9]+$/;
/** `x86_64-linux-gnu-gcc`. */
const TARGET = /^[a-z0-9_]+-(?:[a-z0-9_]+-)?(?:linux|mingw32|apple|freebsd)(?:-[a-z0-9_]+)?-/;

const ENDINGS = [EXECUTABLE, VARIANT, VERSION, LAST_PART];

/** Every candidate, the base name first. */
export function programNames(program: string): readonly string[] {
  const base = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1).toLowerCase();
  const names = new Set([base, base.replace(TARGET, '')]);
  for (const name of names) {
    for (const ending of ENDINGS) {
      const shorter = name.replace(ending, '');
      if (shorter !== '') names.add(shorter);
    }
  }
  return [...names];
}
