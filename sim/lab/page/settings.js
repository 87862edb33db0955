// What can be set: the table of controls, a configuration's way into a link and back, and the experiment file it is.
'use strict';

const LINK_VERSION = 1;

// share: of both configurations, so that they meet the same users and the same random numbers.
const SETTINGS = [
  { key: 'users', label: 'Users', kind: 'number', low: 1, high: 3000, step: 1, start: 100, log: true, help: 'who log on once each' },
  { key: 'pattern', label: 'Arrivals', kind: 'choice', start: 'poisson',
    choices: [['even', 'evenly spaced'], ['poisson', 'at random (Poisson)'], ['curve', 'a morning curve']] },
  { key: 'window', label: 'Arrive within', kind: 'number', unit: 'min', low: 1, high: 240, step: 1, start: 60 },
  { key: 'tier', label: 'Storage tier', kind: 'choice', start: 'azure-files/premium', choices: [
    ['azure-files/premium', 'Azure Files premium'],
    ['azure-files/transaction-optimized', 'Azure Files transaction optimized, large file shares'],
    ['azure-files/transaction-optimized-default', 'Azure Files transaction optimized, default share'],
    ['azure-files/hot', 'Azure Files hot'],
    ['azure-files/cool', 'Azure Files cool'],
    ['azure-files/ssd-v2', 'Azure Files provisioned v2 SSD'],
    ['azure-files/hdd-v2', 'Azure Files provisioned v2 HDD'],
    ['azure-netapp-files/netapp-standard', 'Azure NetApp Files Standard'],
    ['azure-netapp-files/netapp-premium', 'Azure NetApp Files Premium'],
    ['azure-netapp-files/netapp-ultra', 'Azure NetApp Files Ultra'],
    ['amazon-fsx/windows-ssd', 'Amazon FSx for Windows, SSD'],
    ['amazon-fsx/windows-hdd', 'Amazon FSx for Windows, HDD'],
    ['file-server/ssd', 'Windows file server on SSDs']] },
  { key: 'size', label: 'Size', kind: 'number', unit: 'GiB', low: 100, high: 102400, step: 1, start: 5120, log: true,
    help: '1,024 GiB are 1 TiB' },
  { key: 'credits', label: 'Burst credits at the start', kind: 'number', unit: '%', low: 0, high: 100, step: 1, start: 100,
    tiers: ['azure-files/premium'] },
  { key: 'rules', label: 'Rules of', kind: 'choice', start: '', help: 'limits change over the years',
    choices: [['', 'the latest known'], ['2019-10', 'October 2019'], ['2021-01', 'January 2021'], ['2023-01', 'January 2023'],
              ['2025-09', 'September 2025']] },
  { key: 'rtt', label: 'Round trip', kind: 'number', unit: 'ms', low: 0.05, high: 100, step: 0.01, start: 0.17, log: true,
    help: 'of the network, between a host and the storage' },
  { key: 'engine', label: 'Profile', kind: 'choice', start: 'cpm',
    choices: [['cpm', 'files, Citrix Profile Management'], ['fslogix', 'container, FSLogix'], ['cpm-container', 'container, Citrix Profile Management'],
              ['roaming', 'files, Windows roaming']] },
  { key: 'streaming', label: 'Streaming', kind: 'choice', start: 'files', files: true,
    choices: [['off', 'off'], ['files', 'of files'], ['folders', 'of files and folders']] },
  { key: 'large', label: 'Large files linked', kind: 'switch', start: 'on', files: true, help: 'not copied at logon' },
  { key: 'redirection', label: 'Folder redirection', kind: 'switch', start: 'on' },
  { key: 'writeback', label: 'Active write-back', kind: 'switch', start: 'on', files: true },
  { key: 'updates', label: 'Files changed per hour', kind: 'number', unit: '/h', low: 0, high: 200000, step: 100, start: 20000,
    help: 'by all users together' },
  { key: 'length', label: 'Simulated time', kind: 'number', unit: 'min', low: 5, high: 480, step: 1, start: 60, share: true },
  { key: 'runs', label: 'Runs', kind: 'number', low: 1, high: 30, step: 1, start: 1, share: true,
    help: '5 or more give intervals; the pictures show the first' },
  { key: 'seed', label: 'Seed', kind: 'number', low: 0, high: 999999, step: 1, start: 1, share: true,
    help: 'another seed, another morning' },
];

function defaultConfiguration() {
  return Object.fromEntries(SETTINGS.map(setting => [setting.key, String(setting.start)]));
}

// Whether a setting means anything in a configuration: files, of the file-based engine only; tiers, of these only.
function applies(key, configuration) {
  const { files, tiers } = SETTINGS.find(setting => setting.key === key);
  return (!files || configuration.engine === 'cpm') && (!tiers || tiers.includes(configuration.tier));
}

// What is wrong with a value, or ''.
function complaint(setting, value) {
  if (setting.kind === 'choice' && !setting.choices.some(([name]) => name === value)) return `${setting.label}: there is no '${value}'`;
  if (setting.kind === 'switch' && value !== 'on' && value !== 'off') return `${setting.label}: '${value}' is neither on nor off`;
  if (setting.kind !== 'number') return '';
  if (!/^[0-9]+(\.[0-9]+)?$/.test(value)) return `${setting.label}: '${value}' is not a number`;
  const number = Number(value);
  if (number < setting.low || number > setting.high)
    return `${setting.label}: ${value} is not between ${setting.low} and ${setting.high}`;
  if (setting.step >= 1 && !Number.isInteger(number)) return `${setting.label}: '${value}' is not a whole number`;
  return '';
}

// '#1&users=300&b.size=10240': the version, what differs from the defaults, and of B what differs from A.
function linkOf(a, b) {
  const start = defaultConfiguration();
  const parts = [String(LINK_VERSION)];
  for (const { key } of SETTINGS)
    if (a[key] !== start[key]) parts.push(`${key}=${encodeURIComponent(a[key])}`);
  if (b) {
    parts.push('compare');
    for (const { key } of SETTINGS)
      if (b[key] !== a[key]) parts.push(`b.${key}=${encodeURIComponent(b[key])}`);
  }
  return `#${parts.join('&')}`;
}

// {a, b or null, problems: [text]}. What cannot be read is left at its default, and said.
function readLink(hash) {
  const read = { a: defaultConfiguration(), b: null, problems: [] };
  if (hash === '' || hash === '#') return read;
  const parts = hash.slice(1).split('&');
  const version = parts.shift();
  if (!/^[0-9]+$/.test(version)) {
    read.problems.push('This link is not one of the lab: it does not begin with a version. The defaults are shown.');
    return read;
  }
  if (Number(version) > LINK_VERSION) {
    read.problems.push(`This link was made by a newer lab (its version is ${version}, this lab reads up to ${LINK_VERSION}). ` +
      'The defaults are shown; a newer copy of the lab will open it.');
    return read;
  }
  const ofB = {};
  for (const part of parts) {
    if (part === '') continue;
    if (part === 'compare') { read.b = read.b ?? {}; continue; }
    const [name, text] = [part.split('=')[0], part.slice(part.indexOf('=') + 1)];
    const isB = name.startsWith('b.');
    const setting = SETTINGS.find(({ key }) => key === (isB ? name.slice(2) : name));
    let value = text;
    try { value = decodeURIComponent(text); } catch { /* shown as it is */ }
    if (!setting || !part.includes('=') || (isB && setting.share)) {
      read.problems.push(`The link says '${part}', which this lab does not know.`);
      continue;
    }
    const wrong = complaint(setting, value);
    if (wrong) { read.problems.push(`The link is wrong: ${wrong}.`); continue; }
    if (isB) { ofB[setting.key] = value; read.b = {}; } else read.a[setting.key] = value;
  }
  if (read.b) read.b = { ...read.a, ...ofB };
  return read;
}

// The experiment file of a configuration: what the page runs and what is downloaded, byte for byte.
function experimentText(configuration, name) {
  const is = key => configuration[key] === 'on';
  const store = [`tier: ${configuration.tier}`];
  if (configuration.rules !== '') store.push(`rules: ${configuration.rules}`);
  store.push(`size: ${configuration.size} GiB`);
  if (applies('credits', configuration) && configuration.credits !== '100') store.push(`initial_credits: ${configuration.credits} %`);
  const lines = [
    '# Made by the vdisim lab. The same numbers: vdisim run FILE',
    `experiment: ${name}`,
    '',
    'stores:',
    `  profiles: {${store.join(', ')}}`,
    '',
    `network: {round_trip: ${configuration.rtt} ms}`,
    '',
    'workloads:',
    '  logons:',
    `    users: ${configuration.users}`,
    `    arrivals: {window: ${configuration.window} min, pattern: ${configuration.pattern}}`,
    '    store: profiles',
    '    profile: citrix-test-profile',
  ];
  if (configuration.engine === 'roaming') lines.push('    engine: roaming');
  else if (configuration.engine !== 'cpm') lines.push('    engine: container', `    container: ${configuration.engine}`);
  const management = [`folder_redirection: ${is('redirection')}`];
  if (configuration.engine === 'cpm')
    management.unshift('preset: automatic', `streaming: ${configuration.streaming !== 'off'}`,
      `streaming_folders: ${configuration.streaming === 'folders'}`, `large_file_handling: ${is('large')}`,
      `active_write_back: ${is('writeback')}`);
  lines.push('    profile_management:', ...management.map(entry => `      ${entry}`),
    `    updates: {files_per_hour: ${configuration.updates} /h}`,
    '',
    `run: {length: ${configuration.length} min, replications: ${configuration.runs}, seed: ${configuration.seed}}`);
  return `${lines.join('\n')}\n`;
}

if (typeof module !== 'undefined') module.exports = { SETTINGS, LINK_VERSION, defaultConfiguration, complaint, linkOf, readLink, experimentText };
