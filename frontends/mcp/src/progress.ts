// Progress while a human decides, for clients that asked for it: it keeps their timers from ending the call.
// Called by serve.ts for actions that wait. Without a token nothing may be sent.
import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';

export interface ProgressTarget {
  readonly token: string | number | undefined;
  readonly send: (notification: ServerNotification) => Promise<void>;
}

/** Runs the task; meanwhile tells every `intervalMs` that it waits. */
export async function withProgress<T>(
  target: ProgressTarget,
  intervalMs: number,
  task: () => Promise<T>,
): Promise<T> {
  const { token, send } = target;
  if (token === undefined) return task();
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken: token, progress, message: 'waiting for the human at the console' };
    // A client that is gone is noticed by the transport.
    send({ method: 'notifications/progress', params }).catch(() => undefined);
  }, intervalMs);
  try {
    return await task();
  } finally {
    clearInterval(timer);
  }
}
