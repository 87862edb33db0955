// The lab in headless Chromium, used as a student does: set, run, read, scrub, explain, compare, share, take away, cancel.
//   node page.mjs LAB-FOLDER DOWNLOADS [SCREENSHOT.png]
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createServer } from 'node:http';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const require = createRequire(`${resolve(process.env.VDISIM_NODE_MODULES ?? '.')}/`);
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [, , lab, downloads, screenshot] = process.argv;
const url = pathToFileURL(resolve(lab, 'index.html')).href;
mkdirSync(downloads, { recursive: true });

const problems = [];
let step = '';
function check(fine, text) { if (!fine) problems.push(`${step}: ${text}`); }

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const context = await browser.newContext({ viewport: { width: 1300, height: 1000 }, bypassCSP: true });

async function open(hash = '', prepare = async () => {}, address = url) {
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  page.on('console', message => problems.push(`${step}: console: ${message.text()}`));
  page.on('pageerror', error => problems.push(`${step}: error: ${error.message}`));
  page.on('request', request => {
    if (!request.url().startsWith(address.replace(/index\.html$/, '')) && !/^(data|blob):/.test(request.url())) problems.push(`${step}: request: ${request.url()}`);
  });
  await prepare(page);
  await page.goto(address + hash, { waitUntil: 'load' });
  return page;
}
const finished = page => page.waitForFunction(() => /of computing/.test(document.querySelector('#status').textContent) && !document.querySelector('#time').disabled);
const messages = page => page.textContent('#messages');
async function run(page) { await page.click('#run'); await finished(page); }
async function download(page, name, file) {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()]);
  await saved.saveAs(join(downloads, file));
}
async function noSeriousRemarks(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] }));
  for (const { id, help, impact, nodes } of found.violations)
    check(!['serious', 'critical'].includes(impact), `axe: ${id}: ${help}: ${nodes.slice(0, 2).map(node => node.html.slice(0, 160)).join(' | ')}`);
}

step = 'set';
let page = await open();
check(await page.getByRole('heading', { name: 'vdisim lab' }).isVisible(), 'no heading');
check(await messages(page) === '', `messages at the start: ${await messages(page)}`);
await page.getByLabel('Users, A', { exact: true }).fill('40');
await page.getByLabel('Size, GiB, A', { exact: true }).fill('300');
await page.getByLabel('Rules of, A').selectOption('2021-01');
await page.getByLabel('Arrive within, min, A', { exact: true }).fill('20');
await page.getByLabel('Simulated time, min, A', { exact: true }).fill('30');
const hash = await page.evaluate(() => location.hash);
check(hash === '#1&users=40&window=20&size=300&rules=2021-01&length=30', `the link is ${hash}`);
await page.getByLabel('Users, A, slider').focus();
await page.keyboard.press('End');
check(await page.getByLabel('Users, A', { exact: true }).inputValue() === '3000', 'the slider does not move its field');
await page.getByLabel('Users, A', { exact: true }).fill('40');

step = 'run';
await page.evaluate(() => { // what the page shows while it runs
  window.seen = new Set();
  new MutationObserver(() => window.seen.add(document.querySelector('#status').textContent)).observe(document.querySelector('#status'), { childList: true });
});
await run(page);
check(await page.evaluate(() => [...window.seen].some(text => /minute [0-9]+ of 30, [0-9]+ logons finished/.test(text))), 'no progress was shown');
check(/^40 of 40 logons finished/.test(await page.textContent('#status')), `the status is ${await page.textContent('#status')}`);

step = 'read';
const row = (of, name) => of.getByRole('row', { name: new RegExp(`^${name}`) });
const mean = parseFloat(await row(page, 'Load time, mean').getByRole('cell').first().textContent());
check(mean > 1 && mean < 60, `the mean is ${mean}`);
check(await page.locator('#loads canvas').evaluate(canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
  .some((value, i, all) => i % 4 === 0 && value === 0x0b && all[i + 1] === 0x53 && all[i + 2] === 0x94)), 'no dots are drawn');
await page.getByText('The logons as a table').click();
check(await page.locator('#logon-table tbody tr').count() === 40, 'the table of logons has not 40 rows');
await page.getByText('The minutes as a table').click();
check(await page.locator('#minute-table tbody tr').count() === 30, 'the table of minutes has not 30 rows');
check(await page.getByRole('meter', { name: 'Burst credits of A' }).count() === 1, 'no gauge of burst credits');

step = 'explain';
await page.getByRole('button', { name: 'Explain the logon of user 3 of A' }).click();
await page.waitForSelector('#explain-sentence');
check(/^User 3 of A waited [0-9.]+ s; most of it, [0-9]+ %, for /.test(await page.textContent('#explain-sentence')), await page.textContent('#explain-sentence'));
check(await page.evaluate(() => document.activeElement.id === 'explain-section'), 'the focus did not go to the explanation');
const sum = await page.locator('#explain tbody tr').evaluateAll(rows => rows.reduce((all, { cells }) => all + Number(cells[1].textContent), 0));
const waited = parseFloat((await page.textContent('#explain-sentence')).match(/waited ([0-9.]+) s/)[1]);
check(Math.abs(sum - waited) < 0.02, `the parts are ${sum} s, the load ${waited} s`);
await page.evaluate(() => { document.querySelector('#explain-sentence').remove(); document.querySelector('#loads').scrollIntoView(); });
const dot = await page.evaluate(() => {
  const logon = sides.a.logons[5], { chart } = charts.loads, box = chart.over.getBoundingClientRect();
  return { x: box.left + chart.valToPos(logon.start_s / 60, 'x'), y: box.top + chart.valToPos(logon.load_s, 'y'), user: logon.user + 1 };
});
await page.mouse.click(dot.x, dot.y);
await page.waitForSelector('#explain-sentence');
check((await page.textContent('#explain-sentence')).startsWith(`User ${dot.user} of A`), 'a dot explains another logon');

step = 'scrub';
await page.getByLabel('Time', { exact: true }).focus();
await page.keyboard.press('Home');
for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
await page.waitForFunction(() => document.querySelector('#time-text').textContent === 'minute 5');
await page.waitForFunction(() => charts.loads.chart.data[0].length < 40);
check(await page.evaluate(() => charts.loads.chart.data[0].every((minute, i) => minute + charts.loads.chart.data[1][i] / 60 <= 5.0001)), 'dots of later than minute 5 are shown');

step = 'take away';
for (const name of ['cells.csv', 'runs.csv', 'logons.csv', 'minutes.csv', 'result.json']) await download(page, `A: ${name}`, `a-${name}`);
await download(page, 'lab-a.yaml', 'lab-a.yaml');

step = 'accessible';
await noSeriousRemarks(page);
check(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), 'the page scrolls sideways');

step = 'compare';
await page.getByLabel(/Compare two configurations/).check();
check(await page.getByLabel('Size, GiB, B', { exact: true }).inputValue() === '300', 'B does not begin as A');
await page.getByLabel('Streaming, B').selectOption('off');
await page.getByLabel('Large files linked, B').uncheck();
await run(page);
check(/^B is [0-9.,]+ s slower than A on average/.test(await page.textContent('#difference')), await page.textContent('#difference'));
check(await page.locator('#moment-b .binds').count() > 0 || await page.evaluate(() => sides.b.minutes.some(minute => minute.responses.slice(1, 6).some(count => count > 0))), 'no limit binds in B');
await page.getByLabel('Time', { exact: true }).fill('15');
await page.waitForSelector('#moment-b .binds');
await download(page, 'lab-b.yaml', 'lab-b.yaml');
for (const name of ['cells.csv', 'logons.csv', 'minutes.csv', 'runs.csv', 'result.json']) await download(page, `B: ${name}`, `b-${name}`);
await noSeriousRemarks(page);
if (screenshot) await page.screenshot({ path: screenshot, fullPage: true });

step = 'share';
const link = await page.inputValue('#link');
await context.grantPermissions(['clipboard-read', 'clipboard-write']);
await page.click('#share');
await page.waitForFunction(() => /link is/.test(document.querySelector('#status').textContent));
const other = await open(new URL(link).hash);
check(await other.getByLabel('Streaming, B').inputValue() === 'off', 'the link lost a setting of B');
check(await other.getByLabel('Users, A', { exact: true }).inputValue() === '40', 'the link lost a setting of A');
check(await other.evaluate(() => experimentText(configurations.b, 'lab-b')) === readFileSync(join(downloads, 'lab-b.yaml'), 'utf8'), 'the link gives another experiment');
await other.close();

step = 'links that are wrong';
for (const [hash, expected] of [['#2&users=5', 'newer lab'], ['#users=5', 'does not begin with a version'], ['#1&users=0', 'not between 1 and'],
  ['#1&color=red', "'color=red', which this lab does not know"], ['#1&tier=floppy', "there is no 'floppy'"], ['#1&b.seed=3', "'b.seed=3'"],
  ['#1&users=%3Cb%3E', "'<b>' is not a number"]]) {
  const wrong = await open(hash);
  check((await messages(wrong)).includes(expected), `${hash} says: ${await messages(wrong)}`);
  check(await wrong.getByLabel('Users, A', { exact: true }).inputValue() === '100', `${hash} did not leave the default`);
  await wrong.close();
}

step = 'values that are wrong';
await page.getByLabel('Users, A', { exact: true }).fill('-5');
await page.click('#run');
check((await messages(page)).includes("A: Users: '-5' is not a number."), await messages(page));
await page.close();
page = await open('#1&tier=azure-files/ssd-v2&rules=2021-01');
await page.click('#run');
await page.waitForFunction(() => document.querySelector('#messages').textContent !== '');
check((await messages(page)).includes('begin with 2025-06'), await messages(page));
await page.close();

step = 'every choice is one of the simulator';
page = await open();
const refused = await page.evaluate(async () => {
  const refused = [];
  const engine = startEngine();
  const ask = text => new Promise(done => { engine.onmessage = ({ data }) => { if (!data.ready && !data.progress && !data.description) done(data); }; engine.postMessage({ run: text }); });
  for (const { key, kind, choices, low } of SETTINGS)
    for (const value of kind === 'choice' ? choices.map(([name]) => name) : kind === 'switch' ? ['on', 'off'] : [String(low)]) {
      const answer = await ask(experimentText({ ...defaultConfiguration(), users: '1', length: '5', updates: '0', [key]: value }, 'lab-a'));
      if (!answer.done) refused.push(`${key}: ${value}: ${JSON.stringify(answer)}`);
    }
  engine.terminate();
  return refused;
});
for (const text of refused) check(false, text);
await page.close();

step = 'what does not apply';
page = await open('#1&tier=azure-files/hot&credits=5&engine=fslogix');
for (const name of ['Burst credits at the start, %, A', 'Streaming, A', 'Active write-back, A'])
  check(await page.getByLabel(name, { exact: true }).isDisabled(), `${name} can be set`);
check(!await page.evaluate(() => /credits|streaming/.test(experimentText(configurations.a, 'lab-a'))), 'what does not apply is in the file');
await page.getByLabel('Storage tier, A').selectOption('azure-files/premium');
check(await page.getByLabel('Burst credits at the start, %, A', { exact: true }).isEnabled(), 'credits cannot be set');
await page.close();

step = 'the gauge';
page = await open('#1&users=20&window=5&length=10&rules=2019-10&size=100&credits=10');
await run(page);
check(await page.getByRole('meter', { name: 'Burst credits of A' }).getAttribute('aria-valuenow') < 10, 'the bucket does not drain');
await page.close();

step = 'cancel';
page = await open('#1&users=3000&large=off&runs=30');
await page.click('#run');
await page.waitForFunction(() => /minute [1-9]/.test(document.querySelector('#status').textContent));
await page.click('#cancel');
check(/^cancelled at minute [0-9]+/.test(await page.textContent('#status')), await page.textContent('#status'));
check(await page.locator('#cancel').isDisabled(), 'there is still something to cancel');
await page.getByLabel('Users, A', { exact: true }).fill('5');
await page.getByLabel('Runs, A', { exact: true }).fill('5');
await page.getByLabel('Large files linked, A').check();
await run(page);
check(/\[.*\]/.test(await row(page, 'Load time, mean').getByRole('cell').first().textContent()), 'five runs give no interval');
await page.close();

step = 'by keyboard alone, on a small screen';
page = await open('#1&users=5&length=10');
await page.setViewportSize({ width: 360, height: 700 });
await page.getByLabel('Users, A', { exact: true }).focus();
await page.keyboard.press('Enter');
await finished(page);
check(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), 'the page scrolls sideways');
await page.close();

step = 'without WebAssembly';
page = await open('', page_ => page_.addInitScript(() => { delete globalThis.WebAssembly; }));
check(/This browser has no WebAssembly/.test(await messages(page)), await messages(page));
check(!await page.locator('#lab').isVisible(), 'the lab is shown though it cannot run');
await page.close();

step = 'from a web server, then without it';
const server = createServer((request, response) => {
  const name = request.url.split(/[?#]/)[0].slice(1) || 'index.html';
  const types = { html: 'text/html', js: 'text/javascript', svg: 'image/svg+xml', webmanifest: 'application/manifest+json' };
  try {
    const text = readFileSync(join(lab, name));
    response.writeHead(200, { 'content-type': types[name.split('.').pop()] ?? 'text/plain' }).end(text);
  } catch { response.writeHead(404).end(); }
}).listen(0);
const address = `http://localhost:${server.address().port}/index.html`;
page = await open('#1&users=5&length=10', async () => {}, address);
await run(page);
await page.evaluate(() => navigator.serviceWorker.ready);
await page.reload();
await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
server.closeAllConnections();
server.close();
await page.reload();
await run(page);
await page.close();

await browser.close();
writeFileSync(join(downloads, 'problems.txt'), problems.join('\n'));
for (const problem of problems) console.log(`FAILED  ${problem}`);
console.log(problems.length ? `${problems.length} problems` : 'fine');
process.exit(problems.length ? 1 : 0);
