// The simulator as WebAssembly in node, without a page: runs an experiment file and writes its documents into a folder.
//   node engine.mjs LAB.js EXPERIMENT.yaml FOLDER
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [, , program, file, folder] = process.argv;
const vdisim_lab = createRequire(import.meta.url)(resolve(program));
let looks = 0;
const engine = await vdisim_lab({ look: text => { JSON.parse(text); looks++; } });

function give(text) {
  const size = engine.lengthBytesUTF8(text) + 1;
  const place = engine._malloc(size);
  engine.stringToUTF8(text, place, size);
  return place;
}

const text = give(readFileSync(file, 'utf8'));
const lab = engine._lab_open(text);
if (!engine._lab_is_fine(lab)) {
  console.log(engine.UTF8ToString(engine._lab_problems(lab)));
  process.exit(2);
}
const begin = performance.now();
engine._page_run(lab);
console.error(`${Math.round(performance.now() - begin)} ms, ${looks} looks`);
if (!engine._lab_has_run(lab)) {
  console.log(engine.UTF8ToString(engine._lab_problems(lab)));
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
for (const name of ['result.json', 'cells.csv', 'runs.csv', 'logons.csv', 'minutes.csv', 'expectations.csv', 'answer.txt', 'values.txt']) {
  const document = give(name);
  writeFileSync(`${folder}/${name}`, engine.UTF8ToString(engine._lab_document(lab, document)));
  engine._free(document);
}
JSON.parse(engine.UTF8ToString(engine._lab_description(lab)));
JSON.parse(engine.UTF8ToString(engine._lab_records(lab, 0, 0)));
const first = JSON.parse(engine.UTF8ToString(engine._lab_logon(lab, 0, 0, 0)));
if (first && first.phases.flat().reduce((sum, ns) => sum + ns, 0) !== first.load_ns)
  throw new Error('the parts of a logon do not add up to its load time');
engine._lab_close(lab);
engine._free(text);
