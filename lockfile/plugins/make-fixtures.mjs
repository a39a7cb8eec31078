// Writes the synthetic fixtures of the official plugins: <plugin>/fixtures/<answer>-<what>.<ext>, where <answer> is
// one, zero or none (no answer). Nothing in them comes from a real file. Run it again after a change; git shows what moved.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

const here = fileURLToPath(new URL('.', import.meta.url));

function write(plugin, files) {
  const dir = join(here, plugin, 'fixtures');
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
}

const latin = (text) => Buffer.from(text, 'latin1');

/** A PDF from the bodies of its objects 1, 2, …; the cross-reference is right. */
function pdf(bodies, trailer = '') {
  let out = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
  const offsets = bodies.map((body, at) => {
    const offset = out.length;
    out = Buffer.concat([
      out,
      latin(`${at + 1} 0 obj\n`),
      Buffer.isBuffer(body) ? body : latin(body),
      latin('\nendobj\n'),
    ]);
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = bodies.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${out.length}\n%%EOF\n`;
  return Buffer.concat([out, latin(end)]);
}

function stream(content, dict = '') {
  const bytes = Buffer.isBuffer(content) ? content : latin(content);
  return Buffer.concat([
    latin(`<< /Length ${bytes.length} ${dict}>>\nstream\n`),
    bytes,
    latin('\nendstream'),
  ]);
}

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** One page for each content; `more` are further objects, from number 3 + 2 × pages on. */
function pages(contents, { resources = '', page = '', more = [], trailer = '' } = {}) {
  const kids = contents.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  const bodies = contents.flatMap((content, at) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> ${resources}>> ${page}>>`,
    stream(content),
  ]);
  return pdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
      FONT,
      ...bodies,
      ...more,
    ],
    trailer,
  );
}

const TEXT = 'BT /F1 12 Tf 20 20 Td (sample) Tj ET';
const plain = pages([TEXT, '0 0 100 100 re f']);
const flate = pages([TEXT], {
  more: [stream(deflateSync(Buffer.alloc(2000, 'sample ')), '/Filter /FlateDecode ')],
});
const broken = Buffer.from(flate);
broken[broken.indexOf('/FlateDecode') + 30] ^= 0xff;
const cutStream = latin(
  flate.toString('latin1').replace(/.{6}\nendstream\nendobj\nxref/s, (text) => `      ${text.slice(6)}`),
);
const badOffset = latin(
  plain
    .toString('latin1')
    .replace(/(\d{10}) 00000 n/, (_, offset) => `${String(Number(offset) + 3).padStart(10, '0')} 00000 n`),
);
const encrypted = pages([TEXT], {
  more: [
    `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`,
  ],
  trailer: `/Encrypt 6 0 R /ID [<${'33'.repeat(16)}> <${'33'.repeat(16)}>] `,
});
/** The first page's file, then an incremental update with an object of its own. */
const updated = (() => {
  const previous = plain.lastIndexOf('startxref\n') + 10;
  const first = Number.parseInt(plain.toString('latin1', previous), 10);
  const body = latin(`8 0 obj\n(${'x'.repeat(3000)})\nendobj\n`);
  const at = plain.length + body.length;
  return Buffer.concat([
    plain,
    body,
    latin(
      `xref\n8 1\n${String(plain.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 9 /Root 1 0 R /Prev ${first} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  ]);
})();
// Written once by libqpdf's own writer from the plain file above, with static ids.
const sample = (name) => readFileSync(join(here, 'samples', `${name}.pdf`));
const linearized = sample('linearized');
const objectStreams = sample('object-streams');
const linearizedObjects = sample('linearized-object-streams');
/** Cut right behind the first of a linearized file's two ends. */
const cutAfterFirstEnd = (file) => file.subarray(0, file.indexOf('%%EOF') + 6);
const pastEnd = latin(plain.toString('latin1').replace(/startxref\n\d+/, 'startxref\n999999'));

write('file.non-empty', { 'one-byte.bin': '\0', 'one-text.txt': 'sample\n', 'zero-empty.bin': '' });

write('format.is-pdf', {
  'one-pdf.pdf': plain,
  'one-at-1019.bin': Buffer.concat([Buffer.alloc(1019), latin('%PDF-')]),
  'zero-at-1020.bin': Buffer.concat([Buffer.alloc(1020), latin('%PDF-1.7')]),
  'zero-text.txt': 'PDF-1.7\n',
  'zero-empty.bin': '',
  'zero-cut.bin': '%PDF',
});

const PNG_HEAD = Buffer.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
]);
write('format.is-png', {
  'one-head.png': Buffer.concat([PNG_HEAD, Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0])]),
  'zero-newlines.png': latin('\x89PNG\n\x1a\n\0\0\0\x0dIHDR'),
  'zero-cut.png': PNG_HEAD.subarray(0, 12),
  'zero-empty.bin': '',
  'zero-jpeg.bin': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
});

write('format.is-zip', {
  'one-entry.zip': latin('PK\x03\x04\x14\0'),
  'one-empty.zip': Buffer.concat([latin('PK\x05\x06'), Buffer.alloc(18)]),
  'zero-cut.bin': 'PK',
  'zero-text.txt': 'PKZIP\n',
  'zero-empty.bin': '',
});

write('text.is-utf8', {
  'one-empty.txt': '',
  'one-text.txt': 'h\u00e9llo \u5b57 \u{1f600}\n',
  'one-noncharacter.txt': '\uffff',
  'one-long.txt': '\u5b57'.repeat(30_000),
  'zero-latin1.txt': latin('h\xe9llo'),
  'zero-overlong.bin': Buffer.from([0xc0, 0xaf]),
  'zero-overlong-3.bin': Buffer.from([0xe0, 0x9f, 0xbf]),
  'zero-surrogate.bin': Buffer.from([0xed, 0xa0, 0x80]),
  'zero-past-10ffff.bin': Buffer.from([0xf4, 0x90, 0x80, 0x80]),
  'zero-f5.bin': Buffer.from([0xf5, 0x80, 0x80, 0x80]),
  'zero-cut.bin': Buffer.from([0xe5, 0xad]),
  'zero-lone-follow.bin': Buffer.from([0x61, 0x80]),
});

write('text.contains', {
  'inputs.json': '{ "needle": "aab" }\n',
  'one-twice.txt': 'first\nxaab\nnone\naabaab\n',
  'one-overlap.txt': 'aaaab',
  'one-across-chunks.txt': `${'x'.repeat(65_534)}aab`,
  'zero-split-by-line.txt': 'aa\nb',
  'zero-case.txt': 'AAB\n',
  'zero-empty.txt': '',
});

write('pdf.parses', {
  'one-plain.pdf': plain,
  'one-flate.pdf': flate,
  'one-updated.pdf': updated,
  'one-linearized.pdf': linearized,
  'one-object-streams.pdf': objectStreams,
  'one-linearized-objects.pdf': linearizedObjects,
  'zero-cut-linearized.pdf': cutAfterFirstEnd(linearized),
  'zero-empty.pdf': '',
  'zero-text.txt': 'sample\n',
  'zero-cut-middle.pdf': plain.subarray(0, Math.floor(plain.length / 2)),
  'zero-cut-eof.pdf': plain.subarray(0, plain.length - 7),
  'zero-cut-offset.pdf': plain.subarray(0, plain.lastIndexOf('%%EOF') - 2),
  'zero-cut-update.pdf': updated.subarray(0, plain.length + 500),
  'zero-bad-offset.pdf': badOffset,
  'zero-broken-stream.pdf': broken,
  'zero-cut-stream.pdf': cutStream,
  'one-big-flate.pdf': pages([TEXT], {
    more: [stream(deflateSync(Buffer.alloc(300_000, 7)), '/Filter /FlateDecode ')],
  }),
  'zero-bad-content.pdf': pages(['BT (never closed']),
  'none-encrypted.pdf': encrypted,
});

write('pdf.is-truncated', {
  'one-cut-middle.pdf': plain.subarray(0, Math.floor(plain.length / 2)),
  'one-cut-eof.pdf': plain.subarray(0, plain.length - 3),
  'one-cut-offset.pdf': plain.subarray(0, plain.lastIndexOf('%%EOF') - 2),
  'one-cut-update.pdf': updated.subarray(0, plain.length + 500),
  'one-past-end.pdf': pastEnd,
  'one-cut-linearized.pdf': cutAfterFirstEnd(linearized),
  'zero-linearized.pdf': linearized,
  'zero-object-streams.pdf': objectStreams,
  'one-header-only.pdf': '%PDF-1.7\n',
  'zero-plain.pdf': plain,
  'zero-updated.pdf': updated,
  'zero-broken-stream.pdf': broken,
  'zero-trailing-zeros.pdf': Buffer.concat([plain, Buffer.alloc(64)]),
  'none-text.txt': 'sample\n',
  'none-empty.pdf': '',
});

const form = (content, dict = '') =>
  stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 300 400] ${dict}`);
const white = '1 g 0 0 300 400 re f';
const annotated = (flags) =>
  pages([''], {
    page: `/Annots [<< /Type /Annot /Subtype /Stamp /F ${flags} /Rect [0 0 50 50] /AP << /N 6 0 R >> >>] `,
    more: [form('0 0 9 9 re f')],
  });
write('pdf.has-blank-page', {
  'one-empty-content.pdf': pages([TEXT, '']),
  'one-only-state.pdf': pages(['q 1 0 0 1 5 5 cm 0.5 w BT /F1 9 Tf ET Q']),
  'one-white.pdf': pages([white]),
  'one-white-rgb.pdf': pages(['q 1 1 1 rg 0 0 300 400 re f Q']),
  'one-white-cmyk.pdf': pages(['0 0 0 0 k -10 -10 400 500 re f*']),
  'one-white-scaled.pdf': pages(['/DeviceRGB cs 1 1 1 sc 300 0 0 400 0 0 cm 0 0 1 1 re f']),
  'one-white-lines.pdf': pages(['1 g 0 0 m 300 0 l 300 400 l 0 400 l h f']),
  'one-no-paint.pdf': pages(['0 0 10 10 re W n']),
  'one-invisible-text.pdf': pages(['BT 3 Tr /F1 12 Tf (sample) Tj ET']),
  'one-empty-string.pdf': pages(['BT /F1 12 Tf () Tj [() -20 ()] TJ ET']),
  'one-empty-form.pdf': pages(['/X Do'], { resources: '/XObject << /X 6 0 R >> ', more: [form('q Q')] }),
  'one-hidden-stamp.pdf': annotated(2),
  'zero-text.pdf': pages([TEXT]),
  'zero-black-fill.pdf': pages(['0 0 300 400 re f']),
  'zero-part-white.pdf': pages(['1 g 0 0 100 100 re f']),
  'zero-white-then-line.pdf': pages([`${white} 0 0 m 9 9 l S`]),
  'zero-grey.pdf': pages(['0.9 g 0 0 300 400 re f']),
  'zero-restored-colour.pdf': pages(['q 1 g Q 0 0 300 400 re f']),
  'zero-white-pattern.pdf': pages(['/Pattern cs /P scn 0 0 300 400 re f']),
  'zero-white-difference.pdf': pages([`/B gs ${white}`], {
    resources: '/ExtGState << /B << /BM /Difference >> >> ',
  }),
  'zero-inline-image.pdf': pages(['BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI']),
  'zero-form.pdf': pages(['/X Do'], { resources: '/XObject << /X 6 0 R >> ', more: [form('0 0 9 9 re f')] }),
  'zero-image.pdf': pages(['/X Do'], {
    resources: '/XObject << /X 6 0 R >> ',
    more: [
      stream(
        '\x00',
        '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray ',
      ),
    ],
  }),
  'zero-stamp.pdf': annotated(4),
  'zero-object-streams.pdf': objectStreams,
  'none-truncated.pdf': pages([TEXT, '']).subarray(0, 700),
  'none-cut-update.pdf': updated.subarray(0, plain.length + 500),
  'none-missing-form.pdf': pages(['/X Do']),
  'none-unknown-operator.pdf': pages(['1 2 frobnicate']),
  'none-encrypted.pdf': encrypted,
  'none-text.txt': 'sample\n',
  'none-form-of-itself.pdf': pages(['/X Do'], {
    resources: '/XObject << /X 6 0 R >> ',
    more: [form('/X Do', '/Resources << /XObject << /X 6 0 R >> >> ')],
  }),
});
