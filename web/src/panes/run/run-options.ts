import type { RunChoices } from '../../model/workspace.ts';
import { h, replaceChildren } from '../../ui/dom.ts';
import { checkField, numberField, selectField } from './fields.ts';

export interface RunOptionsForm {
  readonly element: HTMLElement;
  show(options: RunChoices): void;
}

/** The options of a run. `onChange` gets a new object each time. */
export function createRunOptions(onChange: (options: RunChoices) => void): RunOptionsForm {
  const element = h('div', { class: 'run-options', role: 'group', 'aria-label': 'Options' });

  function show(initial: RunChoices): void {
    let options = initial;
    const set = (part: Partial<RunChoices>): void => {
      options = { ...options, ...part };
      onChange(options);
    };
    const setOptional = (
      name: 'interleaving' | 'channelDepth',
      value: number | undefined,
    ): void => {
      const rest = { ...options };
      Reflect.deleteProperty(rest, name);
      options = value === undefined ? rest : { ...rest, [name]: value };
      onChange(options);
    };
    replaceChildren(
      element,
      selectField(
        'level',
        [
          { value: 'ktir', label: 'ktir' },
          { value: 'dataflow', label: 'dataflow' },
        ],
        options.level,
        (level) => set({ level }),
      ),
      selectField(
        'numerics',
        [
          { value: 'ieee', label: 'ieee' },
          { value: 'device', label: 'device' },
        ],
        options.numerics,
        (numerics) => set({ numerics }),
      ),
      selectField(
        'outside a view',
        [
          { value: 'pad', label: 'pad' },
          { value: 'trap', label: 'trap' },
        ],
        options.policy,
        (policy) => set({ policy }),
      ),
      numberField(
        {
          label: 'interleaving seed',
          whole: true,
          optional: true,
          minimum: 0,
          placeholder: 'in order',
        },
        options.interleaving,
        (value) => setOptional('interleaving', value),
      ),
      numberField(
        { label: 'channel depth', whole: true, optional: true, minimum: 1, placeholder: 'device' },
        options.channelDepth,
        (value) => setOptional('channelDepth', value),
      ),
      checkField(
        'checks',
        'Look for races, uninitialised reads and accesses out of bounds',
        options.checks,
        (checks) => set({ checks }),
      ),
      checkField(
        'compare with the other level',
        'Run the other level on the same arguments and compare the results',
        options.compare,
        (compare) => set({ compare }),
      ),
    );
  }

  return { element, show };
}
