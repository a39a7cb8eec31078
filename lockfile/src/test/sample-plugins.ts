// Plugins as data for tests that run nothing: any manifest, no program.
import type { InstalledPlugin } from '../plugin/installed-plugins.js';
import type { Manifest } from '../plugin/manifest.js';

export function samplePlugin(
  changes: Partial<Manifest> & { readonly name: string },
  origin: Partial<Pick<InstalledPlugin, 'marketplace' | 'official' | 'signed'>> = {},
): InstalledPlugin {
  const manifest: Manifest = {
    version: '1.0.0',
    protocol: 1,
    question: 'Is it?',
    one: 'it is',
    zero: 'it is not',
    accepts: [],
    limits: { cpuS: 1, memoryBytes: 16 * 1024 * 1024, timeoutMs: 5000 },
    inputs: [],
    detail: false,
    ...changes,
  };
  const notRun = undefined as never;
  return {
    manifest,
    marketplace: 'official',
    official: true,
    signed: true,
    ...origin,
    binary: notRun,
    digest: `digest of ${manifest.name}`,
  };
}

export const FILE_NON_EMPTY = samplePlugin({
  name: 'file.non-empty',
  question: 'Does the file contain at least one byte?',
  one: 'size > 0',
  zero: 'the file is empty',
});
export const FORMAT_IS_PDF = samplePlugin({
  name: 'format.is-pdf',
  question: 'Does the file start like a PDF?',
  one: '`%PDF-` appears within the first 1024 bytes',
  zero: 'no PDF header',
});
export const PDF_PARSES = samplePlugin({
  name: 'pdf.parses',
  question: 'Does the file parse as a PDF without errors?',
  one: 'pdfcpu reads and validates it (relaxed mode)',
  zero: 'parsing or validation fails',
});
export const PDF_CONTAINS = samplePlugin({
  name: 'pdf.contains',
  protocol: 2,
  question: 'Does the extracted text of the PDF contain ${needle}?',
  inputs: [{ name: 'needle', kind: 'text', maxBytes: 256 }],
  detail: true,
});
export const PAIR = samplePlugin({
  name: 'text.pair',
  protocol: 2,
  question: 'Do ${left} and ${right} stand in it?',
  inputs: [
    { name: 'left', kind: 'email', maxBytes: 64 },
    { name: 'right', kind: 'text', maxBytes: 64 },
  ],
});

export const SAMPLE_PLUGINS: ReadonlyMap<string, InstalledPlugin> = new Map(
  [FILE_NON_EMPTY, FORMAT_IS_PDF, PDF_PARSES, PDF_CONTAINS, PAIR].map((plugin) => [
    plugin.manifest.name,
    plugin,
  ]),
);
