// A span of time as a human reads it at a glance. Used by the window's lists.

/** `45s`, `12m`, `3h05m`, `2d`; negative counts as zero. */
export function renderSpan(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m`;
  if (whole < 86_400)
    return `${Math.floor(whole / 3600)}h${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')}m`;
  return `${Math.floor(whole / 86_400)}d`;
}
