// The course's links into the lab, read by the lab's own code: known settings, allowed values, nothing said twice.
//   node lab_links.mjs SETTINGS.js LESSON.md...     ends with 1 and a line for each link that the lab would not take as it is
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [, , settings, ...lessons] = process.argv;
const { linkOf, readLink } = createRequire(import.meta.url)(resolve(settings));
const wrong = [];
let links = 0;
for (const lesson of lessons) {
  const text = readFileSync(lesson, 'utf8');
  const found = [...text.matchAll(/lab\/index\.html(#[^`\s]*)`/g)];
  if (found.length === 0 && !text.includes('**In the lab**')) wrong.push(`${lesson}: neither a link into the lab nor why there is none`);
  for (const [, hash] of found) {
    links++;
    const { a, b, problems } = readLink(hash);
    for (const problem of problems) wrong.push(`${lesson}: ${hash}: ${problem}`);
    if (linkOf(a, b) !== hash) wrong.push(`${lesson}: ${hash}: the lab would write ${linkOf(a, b)}`);
  }
}
if (links === 0) wrong.push('no lesson has a link into the lab');
for (const line of wrong) console.log(line);
console.log(`${links} links, ${wrong.length} wrong`);
process.exit(wrong.length ? 1 : 0);
