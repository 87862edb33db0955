// Pictures: the loads as dots, quantities over time as lines, the gauge and the lights of one moment, the parts of one logon.
'use strict';

const COLOUR = { a: '#0b5394', b: '#b34700' };
const MARKS_S = [10, 30]; // what people call slow, and too slow
const CAUSE_COLOURS = ['#4c78a8', '#9ecae9', '#f58518', '#ffbf79', '#e45756', '#b279a2', '#d6a5c9', '#72b7b2', '#eeca3b', '#9d755d',
                       '#54a24b', '#79706e', '#bab0ac', '#ff9da6'];

function number(value, digits = 1) {
  if (value === null || value === undefined || Number.isNaN(value)) return '-';
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) >= 100 ? 0 : digits });
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const short = value => Math.abs(value) >= 10000 ? compact.format(value) : number(value, 2);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A table with a caption, headings and rows of texts or elements; the first cell of a row heads it.
function figures(caption, headings, rows) {
  const table = element('table', { class: 'figures' }, element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...headings.map(heading => element('th', { scope: 'col' }, heading)))));
  table.append(element('tbody', {}, ...rows.map(row => element('tr', {}, ...row.map((cell, i) =>
    i === 0 ? element('th', { scope: 'row' }, cell) : element('td', {}, cell))))));
  return table;
}

function horizontal(chart, value, text) {
  const y = chart.valToPos(value, 'y', true);
  const { left, top, width, height } = chart.bbox;
  if (y < top || y > top + height) return;
  const { ctx } = chart;
  ctx.save();
  ctx.strokeStyle = '#777';
  ctx.setLineDash([6, 5]);
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(left + width, y);
  ctx.stroke();
  ctx.fillStyle = '#444';
  ctx.textAlign = 'right';
  ctx.fillText(text, left + width - 4, y - 4);
  ctx.restore();
}

function moment(chart, minute) {
  const x = chart.valToPos(minute, 'x', true);
  const { left, top, width, height } = chart.bbox;
  if (minute === null || x < left || x > left + width) return;
  chart.ctx.save();
  chart.ctx.strokeStyle = '#a40000';
  chart.ctx.beginPath();
  chart.ctx.moveTo(x, top);
  chart.ctx.lineTo(x, top + height);
  chart.ctx.stroke();
  chart.ctx.restore();
}

// One picture over time. show(data, limits, length_min, at_min): data as uPlot's, limits [[value, text]].
class TimeChart {
  constructor(container, { title, unit, series, height, points, pick }) {
    this.limits = [];
    this.at = null;
    this.length = 60;
    this.container = container;
    this.pick = pick;
    this.chart = new uPlot({
      width: Math.max(200, container.clientWidth), height, title,
      scales: { x: { time: false, range: () => [0, this.length] },
                y: { range: (_, low, high) => [0, Math.max((high || 1) * 1.08, ...this.limits.filter(([, , wanted]) => wanted).map(([value]) => value * 1.05))] } },
      axes: [{ label: 'minute', labelSize: 18, size: 34 }, { label: unit, labelSize: 18, size: 62, values: (_, ticks) => ticks.map(short) }],
      series: [{ label: 'minute' }, ...series.map(({ label, side, dash }) => ({
        label, stroke: COLOUR[side], width: 2, dash, spanGaps: false,
        ...(points ? { paths: () => null, points: { show: true, size: 6, stroke: COLOUR[side], fill: side === 'b' ? '#fff' : COLOUR[side] } }
                   : { points: { show: false } }) }))],
      legend: { show: series.length > 1 },
      cursor: { drag: { x: false, y: false }, sync: points ? undefined : { key: 'minutes' } },
      hooks: { draw: [chart => { for (const [value, text] of this.limits) horizontal(chart, value, text); moment(chart, this.at); }] },
    }, [[], ...series.map(() => [])], container);
    if (pick) this.chart.over.addEventListener('click', event => this.choose(event));
    new ResizeObserver(() => {
      const width = Math.max(200, container.clientWidth);
      if (width !== this.chart.width) this.chart.setSize({ width, height });
    }).observe(container);
  }

  // The nearest dot within reach.
  choose(event) {
    const { left, top } = this.chart.over.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    let best = null;
    this.chart.data.slice(1).forEach((values, series) => values.forEach((value, i) => {
      if (value === null || value === undefined) return;
      const distance = Math.hypot(this.chart.valToPos(this.chart.data[0][i], 'x') - x, this.chart.valToPos(value, 'y') - y);
      if (distance < 18 && (!best || distance < best.distance)) best = { distance, series, index: i };
    }));
    if (best) this.pick(best.series, this.chart.data[0][best.index], this.chart.data[best.series + 1][best.index]);
  }

  show(data, limits, length, at) {
    this.limits = limits;
    this.length = length;
    this.at = at;
    this.chart.setData(data);
  }
}

function limitOf(description, name) {
  const row = description?.cells[0].stores[0].limits.find(limit => limit.name === name);
  return row?.value ?? null;
}

const LIGHTS = [['SuccessWithShareIopsThrottling', 'IOPS'], ['SuccessWithShareEgressThrottling', 'egress'],
                ['SuccessWithShareIngressThrottling', 'ingress'], ['SuccessWithMetadataThrottling', 'metadata'],
                ['SuccessWithThrottling', 'account or file']];

// The gauge of burst credits and the lights of the limits, of one configuration in one minute.
function showMoment(container, name, description, minute) {
  const parts = [element('h3', { class: `mark-${name.toLowerCase()}` }, name)];
  const full = limitOf(description, 'credits.full');
  if (minute && full !== null && minute.credits !== null) {
    const share = Math.max(0, Math.min(1, minute.credits / full));
    const gauge = element('span', { class: 'gauge', role: 'meter', 'aria-label': `Burst credits of ${name}`, 'aria-valuemin': '0',
      'aria-valuemax': '100', 'aria-valuenow': (share * 100).toFixed(1) }, element('span'));
    gauge.firstChild.style.width = `${share * 100}%`;
    parts.push(gauge, element('p', { class: 'hint' }, `Burst credits: ${(share * 100).toFixed(1)} % of ${number(full)}`));
  } else {
    parts.push(element('p', { class: 'hint' }, full === null && description ? 'This storage has no burst credits.' : 'Burst credits: not known yet.'));
  }
  const list = element('ul', { class: 'lights', 'aria-label': `Limits of ${name}` });
  for (const [response, label] of LIGHTS) {
    const count = minute && description ? minute.responses[description.responses.indexOf(response)] : 0;
    list.append(element('li', count > 0 ? { class: 'binds' } : {}, count > 0 ? `${label} limit binds (${number(count)})` : `${label}: free`));
  }
  container.replaceChildren(...parts, list);
}

// Where the time of one logon went: a bar of the causes, and a table of phases and causes.
function showLogon(container, name, description, logon) {
  const seconds = ns => ns / 1e9;
  const causes = description.causes.map((cause, i) => ({ cause, i, ns: logon.phases.reduce((sum, phase) => sum + phase[i], 0) }))
    .filter(({ ns }) => ns > 0).sort((x, y) => y.ns - x.ns);
  const bar = element('div', { class: 'bar', 'aria-hidden': 'true' });
  for (const { cause, i, ns } of causes) {
    const part = element('span', { title: `${cause}: ${number(seconds(ns), 3)} s` });
    part.style.width = `${100 * ns / logon.load_ns}%`;
    part.style.background = CAUSE_COLOURS[i % CAUSE_COLOURS.length];
    bar.append(part);
  }
  const phases = description.phases.map((phase, i) => ({ phase, parts: logon.phases[i] })).filter(({ parts }) => parts.some(ns => ns > 0));
  const cell = ns => ns > 0 ? number(seconds(ns), 3) : '';
  const table = figures('Seconds by what was waited for and by phase', ['waited for', 'in all', '%', ...phases.map(({ phase }) => phase)],
    causes.map(({ cause, i, ns }) => {
      const swatch = element('span', { 'aria-hidden': 'true' }, '\u25a0 ');
      swatch.style.color = CAUSE_COLOURS[i % CAUSE_COLOURS.length];
      return [element('span', {}, swatch, cause), cell(ns), number(100 * ns / logon.load_ns), ...phases.map(({ parts }) => cell(parts[i]))];
    }));
  container.replaceChildren(
    element('p', { id: 'explain-sentence' }, `User ${logon.user + 1} of ${name} waited ${number(seconds(logon.load_ns), 2)} s; ` +
      (causes.length ? `most of it, ${number(100 * causes[0].ns / logon.load_ns, 0)} %, for ${causes[0].cause}. The parts add up to the load time exactly.` : '')),
    bar, element('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Parts of this logon' }, table));
}
