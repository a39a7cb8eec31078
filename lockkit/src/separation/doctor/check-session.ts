// Doctor, in the console's own account: would a console start in this terminal, and at which desktop level?
// In any other account there is nothing to say: the console's terminal is not there to look at.
import { loadSystemSettings, systemFile } from '../../setting/system-settings.js';
import { checkStart, type LockTraits } from '../check-start.js';
import { decideDesktopLevel } from '../decide-desktop-level.js';
import type { FactsIo } from '../facts-io.js';
import { readSessionFacts } from '../read-session-facts.js';
import { bad, good, type CheckSource } from './doctor-check.js';

export function sessionChecks(io: FactsIo, lock: LockTraits, productFolder: string): CheckSource {
  return () => {
    const settings = loadSystemSettings(lock.name);
    const service = settings.serviceUser === undefined ? null : io.accountByName(settings.serviceUser);
    if (service === null || service.uid !== io.uid) return [];
    const file = systemFile(lock.name);
    const facts = readSessionFacts(io, { settings, systemFile: file, productFolder, allowedUids: [] });
    const { level, reasons } = decideDesktopLevel(facts);
    const question = { facts, settings, level, demo: false, lock };
    const always = checkStart({ ...question, production: false });
    const production = checkStart({ ...question, production: true }).filter(
      ({ code }) => !always.some((refusal) => refusal.code === code),
    );
    const sentence = `${String(level)}: ${reasons.map((reason) => reason.sentence).join('; ')}`;
    return [
      level === 3
        ? good('desktop_level', sentence)
        : bad('warn', 'desktop_level', sentence, 'log in to a session of its own (Wayland or text console)'),
      ...always.map(({ code, reason, fix }) => bad('fail', `start:${code}`, reason, fix)),
      ...production.map(({ code, reason, fix }) => bad('warn', `production:${code}`, reason, fix)),
    ];
  };
}
