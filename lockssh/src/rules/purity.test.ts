import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('lockssh/rules imports nothing at run time but its own files', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.includes('test'),
  );
  expect(files.length).toBeGreaterThan(15);
  const foreign = files.flatMap((name) => {
    const source = readFileSync(`${folder}/${name}`, 'utf8');
    const imports = [...source.matchAll(/^(?:import|export)\s(?!type)[^;]*?from '([^']+)'/gms)];
    return imports.map((found) => `${name}: ${found[1] ?? ''}`).filter((line) => !/: \.\.?\//.test(line));
  });
  expect(foreign).toEqual([]);
});
