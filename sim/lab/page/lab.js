// The page: controls, runs of one or two configurations in workers, and what is shown of them.
'use strict';

const $ = id => document.getElementById(id);
const MIB = 1024 * 1024;

let configurations = { a: defaultConfiguration(), b: null };
const sides = { a: null, b: null }; // what was run last
let engines = { a: null, b: null };
let explained = null;
let charts = null;

function say(texts, mild = false) {
  $('messages').replaceChildren(...texts.map(text => element('p', { class: mild ? 'message mild' : 'message' }, text)));
}

// --- Engines ---

let source = null;

function startEngine() {
  source = source ?? URL.createObjectURL(new Blob([$('worker-source').textContent], { type: 'text/javascript' }));
  return new Worker(source);
}

function engineOf(name) {
  engines[name] = engines[name] ?? startEngine();
  return engines[name];
}

function running() {
  return ['a', 'b'].filter(name => sides[name]?.runs);
}

// --- Controls ---

const position = ({ low, high, log }, value) => log ? 1000 * Math.log(value / low) / Math.log(high / low) : 1000 * (value - low) / (high - low);

function valueAt({ low, high, log, step }, at) {
  const value = log ? low * (high / low) ** (at / 1000) : low + (high - low) * at / 1000;
  const rough = log && value >= 100 ? Number(value.toPrecision(2)) : value; // a slider gives round numbers
  return Number((Math.round(rough / step) * step).toFixed(2));
}

function control(setting, name) {
  const id = `${setting.key}-${name}`;
  const label = `${setting.label}${setting.unit ? `, ${setting.unit}` : ''}, ${name.toUpperCase()}`;
  const set = value => { configurations[name][setting.key] = value; changed(); };
  if (setting.kind === 'choice') {
    const select = element('select', { id, 'aria-label': label }, ...setting.choices.map(([value, text]) => element('option', { value }, text)));
    select.addEventListener('change', () => set(select.value));
    return [select];
  }
  if (setting.kind === 'switch') {
    const box = element('input', { id, type: 'checkbox', 'aria-label': label });
    box.addEventListener('change', () => set(box.checked ? 'on' : 'off'));
    return [box];
  }
  const field = element('input', { id, type: 'number', min: setting.low, max: setting.high, step: setting.step, 'aria-label': label, inputmode: 'decimal' });
  const slider = element('input', { id: `${id}-slider`, type: 'range', min: 0, max: 1000, step: 1, 'aria-label': `${label}, slider` });
  field.addEventListener('input', () => {
    slider.value = position(setting, Number(field.value) || setting.low);
    set(field.value.trim());
  });
  slider.addEventListener('input', () => { field.value = valueAt(setting, Number(slider.value)); set(field.value); });
  return [field, slider];
}

function makeControls() {
  for (const setting of SETTINGS) {
    const head = element('th', { scope: 'row' }, setting.label, setting.unit ? ` (${setting.unit})` : '');
    if (setting.help) head.append(element('small', {}, setting.help));
    const row = element('tr', {}, head, element('td', setting.share ? { colspan: 2 } : {}, ...control(setting, 'a')));
    if (!setting.share) row.append(element('td', { class: 'of-b' }, ...control(setting, 'b')));
    $('settings').append(row);
  }
}

function showConfiguration(name) {
  const configuration = configurations[name];
  for (const setting of SETTINGS) {
    const field = $(`${setting.key}-${name}`);
    if (!field) continue;
    if (setting.kind === 'switch') field.checked = configuration[setting.key] === 'on';
    else field.value = configuration[setting.key];
    if (setting.kind === 'number') $(`${field.id}-slider`).value = position(setting, Number(configuration[setting.key]));
  }
}

function complaints() {
  const found = [];
  for (const name of ['a', 'b']) {
    if (!configurations[name]) continue;
    for (const setting of SETTINGS) {
      const field = $(`${setting.key}-${name}`);
      if (!field) continue;
      const wrong = complaint(setting, configurations[name][setting.key]);
      field.setAttribute('aria-invalid', String(wrong !== ''));
      if (wrong) found.push(`${name.toUpperCase()}: ${wrong}.`);
    }
  }
  return found;
}

// After every change: what does not apply is greyed, the link is renewed.
function changed() {
  if (configurations.b) for (const { key, share } of SETTINGS) if (share) configurations.b[key] = configurations.a[key];
  for (const name of ['a', 'b'])
    for (const { key } of SETTINGS)
      for (const field of [$(`${key}-${name}`), $(`${key}-${name}-slider`)])
        if (field) field.disabled = configurations[name] !== null && !applies(key, configurations[name]);
  $('lab').classList.toggle('compares', configurations.b !== null);
  $('compare').checked = configurations.b !== null;
  const found = complaints();
  if (found.length) return;
  const link = linkOf(configurations.a, configurations.b);
  history.replaceState(null, '', link);
  $('link').value = location.href;
  $('file').querySelector('.wide').replaceChildren(...['a', 'b'].filter(name => configurations[name])
    .map(name => element('pre', {}, experimentText(configurations[name], `lab-${name}`))));
}

function takeLink() {
  const read = readLink(location.hash);
  configurations = { a: read.a, b: read.b };
  say(read.problems);
  for (const name of ['a', 'b']) if (configurations[name]) showConfiguration(name);
  changed();
}

// --- Runs ---

function run() {
  const found = complaints();
  if (found.length) { say(found); return; }
  cancel();
  say([]);
  explained = null;
  $('explain-section').hidden = true;
  for (const name of ['a', 'b']) {
    sides[name] = null;
    if (!configurations[name]) continue;
    const text = experimentText(configurations[name], `lab-${name}`);
    sides[name] = { name, text, runs: true, minutes: [], logons: [], waiting: 0, now_s: 0, replication: 0, description: null, done: null };
    const engine = engineOf(name);
    engine.onmessage = ({ data }) => hear(sides[name], data);
    engine.onerror = event => fail(sides[name], event.message);
    engine.postMessage({ run: text });
  }
  $('time').value = 0;
  $('time').disabled = true;
  showState();
  show();
}

// A run cannot be asked to stop: its thread is ended, and another is begun.
function cancel() {
  for (const name of running()) {
    engines[name].terminate();
    engines[name] = null;
    sides[name].runs = false;
    sides[name].cancelled = true;
  }
  showState();
}

function fail(side, text) {
  side.runs = false;
  engines[side.name]?.terminate();
  engines[side.name] = null;
  say([`The simulator stopped: ${text}. With fewer users or runs it may succeed.`]);
  showState();
}

function hear(side, data) {
  if (side !== sides[side.name]) return;
  if (data.failed !== undefined) fail(side, data.failed);
  else if (data.problems) {
    side.runs = false;
    say(data.problems.filter(({ level }) => level === 'error').map(({ line, message }) => `${side.name.toUpperCase()}: ${message}` +
      (line ? ` (line ${line} of its experiment file)` : '')));
  } else if (data.description) side.description = data.description;
  else if (data.progress) hearProgress(side, data.progress);
  else if (data.done) hearDone(side, data.done);
  else if (data.logon !== undefined) hearLogon(side, data.logon);
  else if (data.document !== undefined) save(`lab-${side.name}-${data.document}`, data.text);
  showState();
  show();
}

function hearProgress(side, progress) {
  side.replication = progress.replication;
  side.now_s = progress.now_s;
  if (progress.replication > 0) return; // the pictures show the first run
  for (const [user, start_s, load_s] of progress.logons) side.logons.push({ user, start_s, load_s, finished: true });
  side.waiting = progress.waiting;
  const [store] = progress.stores;
  side.minutes.splice(store.from, side.minutes.length, ...store.minutes);
}

function hearDone(side, done) {
  side.runs = false;
  side.done = done;
  side.waiting = 0;
  side.minutes = done.records.stores[0].minutes;
  side.logons = done.records.logons.map(([user, host, start_s, load_s, finished, requests, read, written], index) =>
    ({ user, host, start_s, load_s, finished, requests, read, written, index }));
  if (running().length > 0) return;
  $('time').max = lengthMinutes();
  $('time').value = $('time').max;
  $('time').disabled = false;
  showResults();
}

function hearLogon(side, logon) {
  if (!logon) return;
  $('explain-section').hidden = false;
  showLogon($('explain'), side.name.toUpperCase(), side.description, logon);
  $('explain-section').focus();
}

function explain(name, index) {
  if (running().length > 0 || !sides[name]?.done) return;
  explained = { name, index };
  engines[name].postMessage({ logon: index });
}

// --- What is shown ---

const lengthMinutes = () => Math.ceil((sides.a?.description?.length_s ?? 3600) / 60);

function showState() {
  const running_ = running();
  $('cancel').disabled = running_.length === 0;
  const parts = ['a', 'b'].filter(name => sides[name]).map(name => {
    const side = sides[name];
    const finished = side.logons.filter(logon => logon.finished).length;
    const label = configurations.b ? `${name.toUpperCase()}: ` : '';
    if (side.cancelled) return `${label}cancelled at minute ${Math.round(side.now_s / 60)}`;
    if (side.done) return `${label}${number(finished)} of ${number(side.logons.length)} logons finished, ${number(side.done.took_ms / 1000, 2)} s of computing`;
    if (!side.runs) return `${label}not run`;
    if (!side.description) return `${label}starting`;
    const which = side.description.replications > 1 ? `run ${side.replication + 1} of ${side.description.replications}, ` : '';
    return `${label}${which}minute ${Math.round(side.now_s / 60)} of ${lengthMinutes()}, ${number(finished)} logons finished, ${number(side.waiting)} under way`;
  });
  $('status').textContent = parts.length ? `${parts.join('. ')}.` : 'Press Run.';
  const shares = ['a', 'b'].filter(name => sides[name]).map(name => {
    const side = sides[name];
    if (side.done) return 1;
    return side.description ? (side.replication + side.now_s / side.description.length_s) / side.description.replications : 0;
  });
  $('progress').value = shares.length ? shares.reduce((sum, share) => sum + share, 0) / shares.length : 0;
}

const show = (() => {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; draw(); });
  };
})();

function makeCharts() {
  const both = text => [{ label: `A${text}`, side: 'a' }, { label: `B${text}`, side: 'b' }];
  const place = () => { const made = element('div'); $('lines').append(made); return made; };
  const line = (title, unit, suffix = '') => new TimeChart(place(), { title, unit, series: both(suffix), height: 190 });
  charts = {
    loads: new TimeChart($('loads'), { title: 'Load time of each logon', unit: 's', series: both(''), height: 280, points: true, pick: pickDot }),
    iops: line('IOPS, the busiest second of each minute', 'IOPS'),
    egress: line('Egress, mean of each minute', 'MiB/s'),
    ingress: line('Ingress, mean of each minute', 'MiB/s'),
    latency: line('End-to-end latency, mean of each minute', 'ms'),
    throttled: line('Throttled requests', '%'),
    credits: line('Burst credits, the least of each minute', 'credits'),
  };
}

function pickDot(series, minute, load_s) {
  const name = series === 0 ? 'a' : 'b';
  const logon = sides[name]?.logons.find(({ start_s, load_s: load }) => Math.abs(start_s / 60 - minute) < 1e-9 && load === load_s);
  if (logon?.index !== undefined) explain(name, logon.index);
}

function throttledShare(side, minute) {
  const all = minute.responses.reduce((sum, count) => sum + count, 0);
  const throttled = LIGHTS.reduce((sum, [response]) => sum + minute.responses[side.description.responses.indexOf(response)], 0);
  return all > 0 ? 100 * throttled / all : null;
}

function draw() {
  charts ?? makeCharts();
  const length = lengthMinutes();
  const isOver = !$('time').disabled;
  const at = isOver ? Number($('time').value) : Math.max(0, ...['a', 'b'].map(name => (sides[name]?.replication > 0 ? length : (sides[name]?.now_s ?? 0) / 60)));
  if (!isOver) { $('time').max = length; $('time').value = at; }
  $('time-text').textContent = `minute ${Math.floor(at)}`;

  // A logon is seen once it has finished.
  const dots = name => (sides[name]?.logons ?? []).filter(({ finished, start_s, load_s }) => finished && (start_s + load_s) / 60 <= at + 1e-9)
    .map(({ start_s, load_s }) => [start_s / 60, load_s]).sort((x, y) => x[0] - y[0]);
  const [a, b] = [dots('a'), dots('b')];
  const columns = list => [list.map(([x]) => x), list.map(([, y]) => y)];
  const joined = a.length || b.length ? uPlot.join([columns(a), columns(b)]) : [[], [], []];
  charts.loads.show(joined, MARKS_S.map(mark => [mark, `${mark} s`, true]), length, at);

  const minutes = Array.from({ length }, (_, i) => i + 0.5);
  const shown = Math.min(length, Math.ceil(at));
  const lines = value => ['a', 'b'].map(name => minutes.map((_, i) => {
    const minute = i < shown ? sides[name]?.minutes[i] : undefined;
    return minute ? value(minute, sides[name]) : null;
  }));
  // One line where both have the same limit.
  const limits = (...names) => {
    const found = new Map();
    for (const name of configurations.b ? ['a', 'b'] : ['a'])
      for (const [limit, text] of names) {
        const value = limitOf(sides[name]?.description, limit);
        if (value === null) continue;
        const before = found.get(value);
        const label = configurations.b ? `${name.toUpperCase()} ${text}` : text;
        found.set(value, before ? `${before}, ${label}` : label);
      }
    return [...found];
  };
  const put = (chart, value, marks) => charts[chart].show([minutes, ...lines(value)], marks, length, at);
  put('iops', minute => minute.used_iops, limits(['iops.base', 'baseline'], ['iops.burst', 'burst']));
  put('egress', minute => minute.egress / MIB / 60, limits(['egress', 'egress limit'], ['throughput', 'limit']));
  put('ingress', minute => minute.ingress / MIB / 60, limits(['ingress', 'ingress limit'], ['throughput', 'limit']));
  put('latency', minute => minute.e2e_ms, []);
  put('throttled', (minute, side) => throttledShare(side, minute), []);
  put('credits', minute => minute.credits, limits(['credits.full', 'full']));

  const index = Math.max(0, Math.min(length, Math.ceil(at)) - 1);
  for (const name of ['a', 'b'])
    showMoment($(`moment-${name}`), name.toUpperCase(), sides[name]?.description, sides[name]?.minutes[index]);
}

const HEADLINES = [
  ['profile_load.mean', 'Load time, mean'], ['profile_load.p50', 'Load time, median'], ['profile_load.p95', 'Load time, 95 of 100 are below'],
  ['profile_load.max', 'Load time, longest'], ['profile_load.over_30s', 'Logons above 30 s', '%'], ['logons.unfinished', 'Logons that had not finished'],
  ['server_latency.mean', 'Server latency, mean'], ['iops.mean', 'IOPS, mean'], ['iops.peak', 'IOPS, busiest minute'],
  ['egress.peak', 'Egress, busiest minute'], ['ingress.peak', 'Ingress, busiest minute'], ['throttled.fraction', 'Throttled requests', '%'],
  ['burst_credits.min', 'Burst credits, the least'], ['transactions.total', 'Requests'], ['cost.month', 'Cost a month'],
];

// A share is shown in per cent.
function estimate(metric, share) {
  if (!metric || metric.mean === null) return '-';
  const text = value => number(share ? 100 * value : value, 2);
  const [low, high] = metric.ci95 ?? [null, null];
  const interval = low === null ? '' : ` [${text(low)}, ${text(high)}]`;
  const unit = share ?? metric.unit;
  return `${text(metric.mean)}${unit ? ` ${unit}` : ''}${interval}`;
}

// profile_load.mean of each run.
function loadsOfRuns(side) {
  const [head, ...rows] = side.done.runs.trim().split('\n').map(row => row.split(','));
  const column = head.findIndex(text => text.startsWith('profile_load.mean'));
  return rows.map(row => Number(row[column]));
}

function comparison() {
  const [a, b] = ['a', 'b'].map(name => new Map(sides[name].logons.filter(({ finished }) => finished).map(({ user, load_s }) => [user, load_s])));
  const users = [...a.keys()].filter(user => b.has(user));
  const differences = users.map(user => b.get(user) - a.get(user));
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  const faster = differences.filter(value => value < 0).length;
  const runsA = loadsOfRuns(sides.a), runsB = loadsOfRuns(sides.b);
  const inRuns = runsA.filter((value, i) => runsB[i] < value).length;
  return `B is ${number(Math.abs(mean), 2)} s ${mean < 0 ? 'faster' : 'slower'} than A on average, over the ${number(users.length)} users ` +
    `who finished in both; ${number(faster)} of them wait less with B.` +
    (runsA.length > 1 ? ` Its mean is lower in ${inRuns} of ${runsA.length} runs.` : ' This is one run: more runs tell whether it is chance.');
}

function showResults() {
  const there = ['a', 'b'].filter(name => sides[name]?.done);
  const metrics = Object.fromEntries(there.map(name => [name, sides[name].done.result.cells[0].metrics]));
  const rows = HEADLINES.filter(([key]) => there.some(name => metrics[name][key]?.mean !== null && metrics[name][key] !== undefined))
    .map(([key, label, share]) => [label, ...there.map(name => estimate(metrics[name][key], share))]);
  const parts = [];
  if (there.length === 2) parts.push(element('p', { id: 'difference' }, comparison()));
  parts.push(element('div', { class: 'across', tabindex: '0', role: 'region', 'aria-label': 'Figures' },
    figures('Figures of all runs', ['', ...there.map(name => name.toUpperCase())], rows)));
  for (const name of there)
    parts.push(element('details', {}, element('summary', {}, `As the program says it, ${name.toUpperCase()}`), element('pre', { tabindex: '0' }, sides[name].done.answer)));
  $('answer').replaceChildren(...parts);
  showDownloads(there);
  showTables(there);
}

function showDownloads(there) {
  const button = (text, act) => { const made = element('button', { type: 'button' }, text); made.addEventListener('click', act); return made; };
  $('download-buttons').replaceChildren(...there.flatMap(name => [
    button(`lab-${name}.yaml`, () => save(`lab-${name}.yaml`, sides[name].text)),
    ...['cells.csv', 'runs.csv', 'logons.csv', 'minutes.csv', 'result.json'].map(document_ =>
      button(`${name.toUpperCase()}: ${document_}`, () => engines[name].postMessage({ document: document_ }))),
  ]));
  $('downloads').hidden = false;
}

function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function showTables(there) {
  const put = (id, tables) => $(id).querySelector('.wide').replaceChildren(...tables);
  put('minute-table', there.map(name => figures(`Minutes of ${name.toUpperCase()}`,
    ['minute', 'requests', 'throttled, %', 'IOPS, busiest second', 'egress, MiB/s', 'ingress, MiB/s', 'latency, ms', 'credits'],
    sides[name].minutes.map((minute, i) => [String(i), number(minute.responses.reduce((sum, count) => sum + count, 0)),
      number(throttledShare(sides[name], minute)), number(minute.used_iops), number(minute.egress / MIB / 60), number(minute.ingress / MIB / 60),
      number(minute.e2e_ms, 2), number(minute.credits)]))));
  put('limits-table', there.map(name => figures(`Limits of ${name.toUpperCase()}`, ['limit', 'value', 'unit', 'formula'],
    sides[name].description.cells[0].stores[0].limits.map(({ label, value, unit, formula }) => [label, value === null ? 'unlimited' : number(value), unit, formula]))));
  put('logon-table', there.map(name => figures(`Logons of ${name.toUpperCase()}`, ['user', 'minute', 'load time, s', 'requests', ''],
    sides[name].logons.map(({ user, start_s, load_s, finished, requests, index }) => {
      const button = element('button', { type: 'button', 'aria-label': `Explain the logon of user ${user + 1} of ${name.toUpperCase()}` }, 'Explain');
      button.addEventListener('click', () => explain(name, index));
      return [String(user + 1), number(start_s / 60), finished ? number(load_s, 2) : `more than ${number(load_s, 2)}`, number(requests), button];
    }))));
}

// --- Beginning ---

function canRun() {
  const wanting = [];
  if (typeof WebAssembly !== 'object') wanting.push('WebAssembly');
  if (typeof Worker !== 'function') wanting.push('workers');
  if (typeof ResizeObserver !== 'function') wanting.push('ResizeObserver');
  if (wanting.length)
    say([`This browser has no ${wanting.join(', no ')}, which the lab needs to run the simulator. Any browser of the last years has it; ` +
      'some lock it in a strict mode. The program vdisim does the same on the command line.']);
  return wanting.length === 0;
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    $('status').textContent = 'The link is on the clipboard.';
  } catch {
    $('link').focus();
    $('link').select();
    $('status').textContent = 'The link is selected: copy it.';
  }
}

function begin() {
  if (!canRun()) return;
  $('lab').hidden = false;
  makeControls();
  takeLink();
  $('form').addEventListener('submit', event => { event.preventDefault(); run(); });
  $('form').noValidate = true;
  $('cancel').addEventListener('click', () => { cancel(); show(); });
  $('share').addEventListener('click', copyLink);
  $('time').addEventListener('input', show);
  $('compare').addEventListener('change', () => {
    configurations.b = $('compare').checked ? { ...configurations.a } : null;
    if (configurations.b) showConfiguration('b');
    else sides.b = null;
    changed();
    show();
  });
  window.addEventListener('hashchange', takeLink);
  show();
  engineOf('a');
  if (location.protocol.startsWith('http') && 'serviceWorker' in navigator) navigator.serviceWorker.register('service-worker.js').catch(() => {});
}

begin();
