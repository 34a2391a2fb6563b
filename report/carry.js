// Carries what the page shows elsewhere: into a file, or to the clipboard.
import {el} from './dom.js';

// The link stands nowhere in the document, and leads to what the browser itself holds.
export function save(name, kind, text) {
  const address = URL.createObjectURL(new Blob([text], {type: kind}));
  const anchor = el('a', {download: name});
  anchor.href = address;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// Whether the text is on the clipboard.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copied_by_selection(text);
  }
}

// Where a page of a file may not write to the clipboard: as a reader does it.
function copied_by_selection(text) {
  const area = el('textarea', {class: 'aside', 'aria-hidden': 'true', tabindex: -1});
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
