// A value whose changes redraw the views that use it.
import { useEffect, useState } from "./lib.js";

export class Observed {
  #watchers = new Set();

  constructor(value) {
    this.value = value;
  }

  set(value) {
    this.value = value;
    for (const watcher of [...this.#watchers]) watcher(value);
  }

  watch(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}

/** The value of an Observed; a change redraws the view. */
export function useObserved(observed) {
  const [value, setValue] = useState(observed.value);
  useEffect(() => {
    setValue(observed.value);
    return observed.watch(setValue);
  }, [observed]);
  return value;
}
