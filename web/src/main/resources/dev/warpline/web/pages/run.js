import {showRun} from './report.js';
import {api, failure, frame, links} from './server.js';

const id = new URLSearchParams(location.search).get('id') ?? '';

try {
  const run = await api(`runs/${encodeURIComponent(id)}`);
  document.title = `${id} · Warpline`;
  showRun(run, document.getElementById('app'), '/', links());
} catch (error) {
  frame(failure(error));
}
