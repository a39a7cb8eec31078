// A human that sees some warnings on every screen: what makes this console weaker than it should be stays in view.
// Called by the console's start. It adds lines and changes nothing else.
import type { Human, Screen } from 'lockkit/approval';

export function withStandingWarnings(human: Human, warnings: readonly string[]): Human {
  if (warnings.length === 0) return human;
  const lines = warnings.map((warning) => [warning]);
  const warned = (screen: Screen): Screen => ({ ...screen, warnings: [...screen.warnings, ...lines] });
  return {
    show: (screen) => human.show(warned(screen)),
    ask: (screen, options) => human.ask(warned(screen), options),
    note: (line) => human.note(line),
    onCommand: (name, handler) => human.onCommand(name, handler),
    watch: (read) => human.watch?.(read),
    gone: human.gone,
    close: () => human.close(),
  };
}
