// The simulator in a thread of its own. Takes {run: text}, then {logon: index} and {document: name}; tells {ready}, {problems},
// {description}, {progress}, {done}, {logon}, {document}, {failed}.
'use strict';

const engine = vdisim_lab({ look: text => postMessage({ progress: JSON.parse(text) }) });
let module = null;
let lab = 0;

function give(text) {
  const size = module.lengthBytesUTF8(text) + 1;
  const place = module._malloc(size);
  module.stringToUTF8(text, place, size);
  return place;
}

function take(place) {
  if (place === 0) throw new Error('out of memory');
  return module.UTF8ToString(place);
}

function run(text) {
  if (lab) module._lab_close(lab);
  const place = give(text);
  lab = module._lab_open(place);
  module._free(place);
  if (lab === 0) throw new Error('out of memory');
  const problems = JSON.parse(take(module._lab_problems(lab)));
  if (!module._lab_is_fine(lab)) {
    postMessage({ problems });
    return;
  }
  postMessage({ description: JSON.parse(take(module._lab_description(lab))), warnings: problems });
  const begin = performance.now();
  module._page_run(lab);
  const took_ms = performance.now() - begin;
  if (!module._lab_has_run(lab)) {
    postMessage({ problems: JSON.parse(take(module._lab_problems(lab))) });
    return;
  }
  postMessage({
    done: { took_ms, result: JSON.parse(documentOf('result.json')), runs: documentOf('runs.csv'), answer: documentOf('answer.txt'),
            records: JSON.parse(take(module._lab_records(lab, 0, 0))) },
  });
}

function documentOf(name) {
  const place = give(name);
  const text = take(module._lab_document(lab, place));
  module._free(place);
  return text;
}

onmessage = async ({ data }) => {
  try {
    module = module ?? await engine;
    if (data.run !== undefined) run(data.run);
    else if (data.logon !== undefined) postMessage({ logon: JSON.parse(take(module._lab_logon(lab, 0, 0, data.logon))), index: data.logon });
    else if (data.document !== undefined) postMessage({ document: data.document, text: documentOf(data.document) });
  } catch (error) {
    postMessage({ failed: String(error?.message ?? error) });
  }
};
engine.then(() => postMessage({ ready: true }), error => postMessage({ failed: String(error) }));
