// Theme: light or dark, as the system has it until somebody chooses; light on paper. Colours are
// those of style.css; who draws on a canvas asks here for them, and again when they change.

const listeners = [];

export function on_theme_change(listener) {
  listeners.push(listener);
}

export function dark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

// The value of a custom property: colour('--error').
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// That of an operation, by its place; those beyond the palette share the last.
// Black or white: what can be read on a colour, "#rrggbb".
export function readable_on(background) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(background.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

export const COLOURS = 9;
export function operation_colour(place) {
  return colour(`--op-${Math.min(place, COLOURS - 1)}`);
}

function apply(theme) {
  theme ? (document.documentElement.dataset.theme = theme) : delete document.documentElement.dataset.theme;
  for (const listener of listeners) {
    listener();
  }
}

export function start_theme(button) {
  const label = () => {
    button.textContent = dark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', dark() ? 'Change to light colours' : 'Change to dark colours');
  };
  button.addEventListener('click', () => apply(dark() ? 'light' : 'dark'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(document.documentElement.dataset.theme));
  let before;
  addEventListener('beforeprint', () => {
    before = document.documentElement.dataset.theme;
    apply('light');
  });
  addEventListener('afterprint', () => apply(before));
  on_theme_change(label);
  label();
}
