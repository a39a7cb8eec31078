// Draws screens in a real terminal as the window does, one after the other: the first argument names a folder; screen N
// is read from N.json there when the file appears, and N.done is written once it is drawn. Nothing is asked.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processClock, type Screen } from 'lockkit/approval';
import { openBlessedCanvas } from '../blessed-canvas.js';
import { News } from '../news.js';
import { Picture } from '../picture.js';
import { WaitingList } from '../waiting-list.js';

const folder = process.argv[2] ?? '';
const canvas = openBlessedCanvas(process.stdout, true);
const picture = new Picture(canvas, processClock, 'draw');

function draw(number: number): void {
  const { screen, note } = JSON.parse(readFileSync(join(folder, `${number}.json`), 'utf8')) as {
    readonly screen: Screen;
    readonly note: string;
  };
  const list = new WaitingList();
  list.add({ id: `${number}`, source: '', screen, about: {}, sinceMs: 0 });
  list.choose(`${number}`);
  const news = new News(() => new Date(0));
  news.add([{ kind: 'untrusted', text: note }]);
  picture.choose(list.chosen);
  picture.takeBeside(list, [{ id: 'a', name: note, state: 'ready' }], news);
  picture.draw('typed');
  process.stdout.write('', () => {
    writeFileSync(join(folder, 'tmp'), '');
    renameSync(join(folder, 'tmp'), join(folder, `${number}.done`));
  });
}

let next = 0;
const look = (): void => {
  if (existsSync(join(folder, `${next}.json`))) draw(next++);
  if (existsSync(join(folder, 'end'))) {
    canvas.restore();
    process.exit(0);
  }
  setTimeout(look, 2);
};
look();
