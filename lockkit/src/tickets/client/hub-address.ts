// The URL of a hub: a Unix socket or TLS, nothing else (docs/hub-protocol.md, section 7). Used by key files and clients.
export type HubAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tls'; readonly host: string; readonly port: number };

/** null for any other URL: no plain TCP, no credentials, no path behind a host. */
export function parseHubUrl(url: string): HubAddress | null {
  const unix = /^unix:(?:\/\/)?(\/[\x21-\x7e]{1,106})$/.exec(url);
  if (unix) return { kind: 'unix', path: unix[1] as string };
  if (!/^https:\/\/[^/?#@\s]+$/.test(url)) return null;
  try {
    const { hostname, port } = new URL(url);
    return { kind: 'tls', host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) };
  } catch {
    return null;
  }
}
