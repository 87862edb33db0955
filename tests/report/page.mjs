// A report in headless Chromium: it renders, says nothing on the console, asks for nothing, and axe-core finds nothing serious.
//   node page.mjs REPORT.html [SCREENSHOT.png]
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const require = createRequire(`${resolve(process.env.VDISIM_NODE_MODULES ?? '.')}/`);
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const problems = [];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, javaScriptEnabled: true, bypassCSP: true });
const url = pathToFileURL(resolve(process.argv[2])).href;
page.on('console', message => problems.push(`console: ${message.text()}`));
page.on('pageerror', error => problems.push(`error: ${error.message}`));
page.on('dialog', dialog => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
page.on('request', request => { if (request.url() !== url && !request.url().startsWith('data:')) problems.push(`request: ${request.url()}`); });
await page.goto(url, { waitUntil: 'load' });

const facts = await page.evaluate(() => ({
  title: document.title,
  figures: document.querySelectorAll('figure svg[role=img]').length,
  named: [...document.querySelectorAll('figure svg')].every(svg =>
    svg.getAttribute('aria-labelledby').split(' ').every(id => document.getElementById(id)?.textContent)),
  tables: document.querySelectorAll('table').length,
  ids: [...document.querySelectorAll('[id]')].map(element => element.id),
  scripts: document.querySelectorAll('script, iframe, object, embed, foreignObject, a[href^="javascript"]').length,
  handlers: [...document.querySelectorAll('*')].filter(element => [...element.attributes].some(a => /^on/i.test(a.name))).length,
  wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
}));
if (!facts.title) problems.push('no title');
if (facts.figures < 1 && !process.env.VDISIM_NO_FIGURES) problems.push('no figures');
if (!facts.named) problems.push('a figure without a name or a description');
if (facts.tables < 2) problems.push('no tables');
if (new Set(facts.ids).size !== facts.ids.length) problems.push('the same id twice');
if (facts.scripts || facts.handlers) problems.push('something in the page can run');
if (facts.wide) problems.push('the page scrolls sideways');

await page.evaluate(axe);
const found = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] }));
for (const violation of found.violations)
  if (['serious', 'critical'].includes(violation.impact))
    problems.push(`axe: ${violation.id}: ${violation.help}: ${violation.nodes.slice(0, 2).map(node => node.html.slice(0, 160)).join(' | ')}`);
if (process.argv[3]) await page.screenshot({ path: process.argv[3], fullPage: true });
await browser.close();
for (const problem of problems) console.log(`FAILED  ${problem}`);
console.log(`${facts.figures} figures, ${facts.tables} tables, ${found.violations.length} remarks of axe-core`);
process.exit(problems.length ? 1 : 0);
