// Builds the page. Text is only ever set as text and every address begins with '#', so nothing
// that comes from a capture can become markup, script, or a request.

const SVG = 'http://www.w3.org/2000/svg';

// el('td', {class: 'number'}, 'text', another) makes an element. Members of `props` are attributes;
// `on` holds handlers by event, `fragment` the address of a link within the page. Children that are
// null or false are left out.
export function el(name, props, ...children) {
  return build(document.createElement(name), props, children);
}

export function svg(name, props, ...children) {
  return build(document.createElementNS(SVG, name), props, children);
}

function build(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (key === 'on') {
      for (const [event, handler] of Object.entries(value)) {
        element.addEventListener(event, handler);
      }
    } else if (key === 'fragment') {
      element.setAttribute('href', '#' + value);
    } else if (key === 'href' || key === 'src' || key === 'style' || key.startsWith('on')) {
      throw new Error(`not an attribute for el(): ${key}`);
    } else {
      element.setAttribute(key, value === true ? '' : String(value));
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(element, child);
    } else if (child !== undefined && child !== null && child !== false) {
      element.append(child);
    }
  }
}

export function replace(element, ...children) {
  element.textContent = '';
  append(element, children);
  return element;
}

// A function that asks for `work` when the page is next drawn: once, however often it is called until then.
export function when_drawn(work) {
  let waiting = 0;
  return () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(work);
  };
}

// A number as people read it, which keeps what it is exactly.
export function datum(value, text) {
  return value === undefined || value === null ? el('span', {class: 'none'}, '–') : el('data', {value}, text);
}

// A link within the page; without a fragment it is plain text.
export function link(fragment, text, props) {
  return fragment ? el('a', {...props, fragment}, text) : el('span', props, text);
}
