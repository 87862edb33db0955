// Puts the page together: one file that needs nothing else, and beside it what makes it an installable application.
//   node assemble.mjs PAGE-SOURCES ENGINE.js UPLOT-PACKAGE LIBRARIES VERSION LICENCE OUTPUT-FOLDER
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const [, , page, engine, uplot, libraries, version, licence, output] = process.argv;
const read = file => readFileSync(file, 'utf8');
const inScript = text => text.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '<\\!--');
const inText = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const licences = [
  ['vdisim and the GNU Scientific Library 2.7.1: GNU General Public License, version 3 or later. The sources of both, of vdisim ' +
   'where this page came from and of GSL at https://www.gnu.org/software/gsl/, may be had and changed under its terms.', licence],
  ['libyaml 0.2.5', `${libraries}/libyaml/License`],
  ['libcsv 3.0.3', `${libraries}/libcsv/COPYING.LESSER`],
  ['uPlot', `${uplot}/LICENSE`],
].map(([title, file]) => `${title}\n\n${file === licence ? '' : read(existsSync(file) ? file : file.replace('License', 'LICENSE'))}`).join('\n\n----\n\n');

const parts = {
  '<!-- @manifest -->': '<link rel="manifest" href="manifest.webmanifest">',
  '/* @style */': `${read(`${uplot}/dist/uPlot.min.css`)}\n${read(`${page}/style.css`)}`,
  '/* @worker */': inScript(`${read(engine)}\n${read(`${page}/worker.js`)}`),
  '/* @uplot */': inScript(read(`${uplot}/dist/uPlot.iife.min.js`)),
  '/* @settings */': inScript(read(`${page}/settings.js`)),
  '/* @charts */': inScript(read(`${page}/charts.js`)),
  '/* @lab */': inScript(read(`${page}/lab.js`)),
  '@version': version,
  '@licences': inText(licences),
};
let text = read(`${page}/index.html`);
for (const [mark, part] of Object.entries(parts)) {
  if (text.split(mark).length !== 2) throw new Error(`index.html has ${text.split(mark).length - 1} times ${mark}`);
  text = text.split(mark).join(part);
}
mkdirSync(output, { recursive: true });
writeFileSync(`${output}/index.html`, text);
for (const file of ['manifest.webmanifest', 'service-worker.js', 'icon.svg']) copyFileSync(`${page}/${file}`, `${output}/${file}`);
writeFileSync(`${output}/LICENSE`, `${licences}\n\n----\n\n${read(licence)}`);
