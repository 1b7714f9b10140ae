import {h} from './dom.js';
import {bytes, count, duration, percent, shortName, significant} from './format.js';
import {api, failure} from './server.js';

const WORDS = {WAITING: 'waiting', RUNNING: 'running', DONE: 'done', FAILED: 'failed', CANCELLED: 'cancelled'};

/** What runs and lies on its way here. A card is made once and changed in place, so that it keeps the keyboard's focus. */
export class Jobs {
  constructor() {
    this.cards = new Map();
    this.empty = h('p', {class: 'muted'}, 'Nothing is running.');
    this.element = h('div', {id: 'jobs'}, this.empty);
  }

  update(simulations, uploads) {
    const open = simulations.filter(isOpen), ended = simulations.filter(job => !isOpen(job));
    const shown = [...uploads.map(upload => [upload, UploadCard]), ...[...open, ...ended.slice(0, 6)].map(job => [job, JobCard])];
    const ids = new Set(shown.map(([one]) => one.id));
    for (const [id, card] of this.cards) {
      if (!ids.has(id)) {
        card.element.remove();
        this.cards.delete(id);
      }
    }
    // The first come last: a new card goes before what was there, and nothing that was there moves.
    for (const [one, Card] of shown.reverse()) {
      if (!this.cards.has(one.id)) {
        const card = new Card(one);
        this.cards.set(one.id, card);
        this.element.prepend(card.element);
      }
      this.cards.get(one.id).update(one);
    }
    this.empty.hidden = this.cards.size > 0;
  }
}

function isOpen(job) {
  return job.state === 'WAITING' || job.state === 'RUNNING';
}

/** A bar with a button that ends what it shows. */
class Card {
  constructor(what, title, facts, path) {
    this.badge = h('span', {class: 'badge'});
    this.title = h('strong', {}, title);
    this.time = h('span', {class: 'faint'});
    this.message = h('div', {class: 'up', hidden: true});
    this.button = h('button', {'aria-label': `Cancel ${title}`, onclick: () => this.cancel(path)}, 'Cancel');
    this.bar = h('i');
    this.progress = h('div', {class: 'progress', role: 'progressbar', 'aria-label': title, 'aria-valuemin': 0, 'aria-valuemax': 100}, this.bar);
    this.text = h('div', {class: 'muted'});
    this.element = h('div', {class: 'job', tabindex: -1, ...what},
      h('div', {class: 'row'}, this.badge, this.title, h('span', {class: 'muted'}, facts), h('span', {style: 'flex:1'}), this.time, this.button), this.progress, this.text, this.message);
  }

  cancel(path) {
    return this.ask(path, 'DELETE');
  }

  async ask(path, method) {
    try {
      await api(path, {method});
    } catch (error) {
      this.message.hidden = false;
      this.message.replaceChildren(failure(error));
    }
  }

  say(word, share, text) {
    set(this.badge, word);
    this.badge.className = `badge ${word}`;
    const value = Math.round(100 * share);
    if (this.progress.getAttribute('aria-valuenow') !== String(value)) this.progress.setAttribute('aria-valuenow', value);
    this.bar.style.width = `${100 * share}%`;
    set(this.text, text);
  }
}

class JobCard extends Card {
  constructor(job) {
    super({'data-job': job.id}, job.trace, [job.gpu, job.core, ...job.settings].filter(Boolean).join(' · '), `simulations/${job.id}`);
    this.pause = h('button', {class: 'pause', onclick: () => this.ask(`simulations/${job.id}/pause`, this.held ? 'DELETE' : 'PUT')}, 'Pause');
    this.button.after(this.pause);
    this.limits = `Ends after ${count(job.limits.cycles)} cycles, ${count(job.limits.instructions)} warp instructions or ${duration(job.limits.seconds)}.`;
    this.element.title = this.limits;
  }

  update(job) {
    const running = job.state === 'RUNNING';
    this.say(WORDS[job.state], job.share, job.stopping ? 'Ending …' : job.kernel
      ? `${shortName(job.kernel)} · ${percent(job.share)} · ${count(job.blocksDone)} of ${count(job.blocks)} blocks · cycle ${count(job.cycles)} · IPC ${significant(job.ipc)} · ${count(job.warpInstructions)} warp instructions · ${count(job.kernelsDone)} kernels done`
      : 'Opening the trace');
    this.held = job.pause !== '';
    if (this.held && !job.stopping) set(this.badge, job.pause);
    this.element.dataset.pause = job.pause;
    set(this.pause, this.held ? 'Resume' : 'Pause');
    this.pause.setAttribute('aria-label', `${this.held ? 'Resume' : 'Pause'} ${job.trace}`);
    this.pause.hidden = !running;
    set(this.time, duration(job.seconds));
    this.progress.hidden = this.text.hidden = !running;
    this.message.hidden = !job.message;
    if (job.message) set(this.message, job.message);
    if (this.element.dataset.state === job.state) return;
    this.element.dataset.state = job.state;
    if (isOpen(job)) return;
    if (document.activeElement === this.button) this.element.focus();
    this.button.hidden = true;
    if (job.state === 'DONE') this.title.replaceChildren(h('a', {href: `/run.html?id=${encodeURIComponent(job.id)}`}, job.trace));
  }
}

class UploadCard extends Card {
  constructor(upload) {
    super({'data-upload': upload.id}, upload.name, upload.size >= 0 ? bytes(upload.size) : '', `uploads/${upload.id}`);
  }

  update(upload) {
    const of = Math.max(1, upload.size, upload.received);
    if (upload.state === 'RECEIVING') this.say('uploading', upload.received / of, `${bytes(upload.received)} received`);
    else if (upload.state === 'WAITING') this.say('waiting', 0, 'Another archive is being unpacked');
    else this.say('unpacking', Math.min(1, upload.read / Math.max(1, upload.received)), `Looking through it: ${bytes(upload.unpacked)} unpacked`);
    this.element.dataset.state = upload.state;
  }
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
