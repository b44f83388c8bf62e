/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The query box: a combobox with a list of fields and words, as the ARIA practices have it. */
import { count, make } from './dom.js';

const PAUSE_MS = 120;

/**
 * Completes words of an input.
 *
 * @param ask takes text and caret, returns a promise of {from, choices}
 */
export function complete(input, list, ask) {
  let choices = [];
  let from = 0;
  let active = -1;
  let asked = 0;
  let timer = null;

  function close() {
    asked++;
    clearTimeout(timer);
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  function mark(next) {
    active = next;
    [...list.children].forEach((option, i) =>
      option.setAttribute('aria-selected', String(i === active)));
    if (active < 0) {
      input.removeAttribute('aria-activedescendant');
    } else {
      input.setAttribute('aria-activedescendant', 'choice-' + active);
      list.children[active].scrollIntoView({ block: 'nearest' });
    }
  }

  function take(i) {
    const { text, kind } = choices[i];
    const caret = input.selectionStart;
    const added = text + (kind === 'word' ? ' ' : '');
    input.value = input.value.slice(0, from) + added + input.value.slice(caret);
    input.setSelectionRange(from + added.length, from + added.length);
    close();
    input.focus();
    if (kind === 'field') {
      look();
    }
  }

  function show(found) {
    choices = found.choices;
    from = found.from;
    list.replaceChildren(
      ...choices.map((choice, i) =>
        make(
          'li',
          {
            role: 'option',
            id: 'choice-' + i,
            'aria-selected': 'false',
            onmousedown: (event) => {
              event.preventDefault();
              take(i);
            },
          },
          make('span', {}, choice.text),
          make('small', {}, choice.kind === 'field' ? 'field' : count(choice.docs)))));
    if (choices.length === 0) {
      close();
    } else {
      list.hidden = false;
      input.setAttribute('aria-expanded', 'true');
      mark(-1);
    }
  }

  function look() {
    const number = ++asked;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      try {
        const found = await ask(input.value, input.selectionStart);
        if (number === asked && document.activeElement === input) {
          show(found);
        }
      } catch {
        close(); // the search says what is wrong
      }
    }, PAUSE_MS);
  }

  input.addEventListener('input', look);
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const last = choices.length - 1;
    if (event.key === 'ArrowDown' && list.hidden) {
      look();
    } else if (event.key === 'ArrowDown') {
      mark(active === last ? -1 : active + 1);
    } else if (event.key === 'ArrowUp' && !list.hidden) {
      mark(active < 0 ? last : active - 1);
    } else if (event.key === 'Enter' && active >= 0) {
      take(active);
    } else if (event.key === 'Escape' && !list.hidden) {
      close();
    } else {
      return;
    }
    event.preventDefault();
  });
  return { close };
}
