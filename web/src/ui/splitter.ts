/**
 * Makes `separator` a draggable and keyboard-operable divider. `apply` gets the
 * share of the space before it, from `minimum` to 1 - `minimum`. The result sets it.
 */
export function makeSplitter(
  separator: HTMLElement,
  options: {
    container: HTMLElement;
    axis: 'horizontal' | 'vertical';
    initial: number;
    minimum: number;
    apply: (share: number) => void;
    commit: (share: number) => void;
  },
): (share: number) => void {
  const { container, axis, minimum } = options;
  let share = options.initial;

  const set = (value: number): void => {
    share = Math.min(1 - minimum, Math.max(minimum, value));
    separator.setAttribute('aria-valuenow', String(Math.round(share * 100)));
    options.apply(share);
  };

  separator.setAttribute('role', 'separator');
  separator.setAttribute('aria-orientation', axis === 'horizontal' ? 'vertical' : 'horizontal');
  separator.setAttribute('aria-valuemin', String(Math.round(minimum * 100)));
  separator.setAttribute('aria-valuemax', String(Math.round((1 - minimum) * 100)));
  separator.tabIndex = 0;
  set(share);

  separator.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    separator.setPointerCapture(event.pointerId);
    separator.classList.add('dragging');
  });
  separator.addEventListener('pointermove', (event) => {
    if (!separator.hasPointerCapture(event.pointerId)) return;
    const box = container.getBoundingClientRect();
    set(
      axis === 'horizontal'
        ? (event.clientX - box.left) / box.width
        : (event.clientY - box.top) / box.height,
    );
  });
  const finish = (): void => {
    if (!separator.classList.contains('dragging')) return;
    separator.classList.remove('dragging');
    options.commit(share);
  };
  separator.addEventListener('pointerup', finish);
  separator.addEventListener('pointercancel', finish);
  separator.addEventListener('keydown', (event) => {
    const [less, more] =
      axis === 'horizontal' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    set(share + (event.key === more ? 0.02 : -0.02));
    options.commit(share);
  });
  return (value) => {
    set(value);
    options.commit(share);
  };
}
