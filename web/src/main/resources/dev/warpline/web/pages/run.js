import {showRun} from './report.js';
import {api, failure, frame, links} from './server.js';

const asked = new URLSearchParams(location.search), id = asked.get('id') ?? '';

/** A run of the server's own, or a point of a study. */
function result() {
  if (!asked.has('store')) return api(`runs/${encodeURIComponent(id)}`);
  return api(`studies/${encodeURIComponent(asked.get('store'))}/point?study=${encodeURIComponent(asked.get('study'))}&number=${encodeURIComponent(asked.get('point'))}`);
}

try {
  const run = await result();
  document.title = `${asked.has('store') ? `${asked.get('study')} ${asked.get('point')}` : id} · Warpline`;
  showRun(run, document.getElementById('app'), '/', links());
} catch (error) {
  frame(failure(error));
}
