// Preact with htm, in which every view is written.
import { Component, h, render } from "./vendor/preact.mjs";
import htm from "./vendor/htm.mjs";

export { useCallback, useEffect, useLayoutEffect, useRef, useState } from "./vendor/hooks.mjs";
export { Component, render };
export const html = htm.bind(h);
