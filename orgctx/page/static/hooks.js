// Hooks for the views: requests, delayed values, lazy modules and the viewport.
import { useCallback, useEffect, useRef, useState } from "./lib.js";
import { ask, connected, exchanges } from "./api.js";
import { useObserved } from "./observed.js";

const NOTHING = { body: null, error: null, isLoading: false };

/**
 * The answer of an operation, requested again when the arguments change. The previous answer stays
 * until the next one arrives. args: null requests nothing.
 */
export function useAnswer(name, args) {
  const [state, setState] = useState({ ...NOTHING, isLoading: args !== null });
  const [attempt, setAttempt] = useState(0);
  const isConnected = useObserved(connected);
  const request = args && JSON.stringify(args);
  useEffect(() => {
    if (request === null || !isConnected) return setState(NOTHING);
    const controller = new AbortController();
    setState((before) => ({ ...before, error: null, isLoading: true }));
    ask(name, JSON.parse(request), controller.signal).then(
      ({ body }) => setState({ ...NOTHING, body }),
      (error) => error.name !== "AbortError" && setState({ ...NOTHING, error }),
    );
    return () => controller.abort();
  }, [name, request, attempt, isConnected]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { ...state, retry };
}

/**
 * A sequence of answers, such as pages. next(body, args) returns the next arguments, or null.
 * Returns {bodies, error, isLoading, hasMore, more}; starts again when `args` changes.
 */
export function useFollowed(name, args, next) {
  const [state, setState] = useState({ bodies: [], error: null, isLoading: true, nextArgs: null });
  const controller = useRef(null);
  const request = JSON.stringify(args);
  const load = useCallback(({ signal }, nextArgs, bodies) => {
    setState({ bodies, error: null, isLoading: true, nextArgs });
    ask(name, nextArgs, signal).then(
      ({ body }) => setState({ bodies: [...bodies, body], error: null, isLoading: false, nextArgs: next(body, nextArgs) }),
      (error) => error.name !== "AbortError" && setState({ bodies, error, isLoading: false, nextArgs }),
    );
  }, [name]);
  useEffect(() => {
    controller.current = new AbortController();
    load(controller.current, JSON.parse(request), []);
    return () => controller.current.abort();
  }, [load, request]);
  const more = () => {
    if (!state.isLoading && state.nextArgs) load(controller.current, state.nextArgs, state.bodies);
  };
  return { ...state, hasMore: state.nextArgs !== null, more };
}

/** The value, as soon as it has stayed the same for this time. */
export function useSettled(value, milliseconds = 250) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** A module that a view imports when it is opened; null until it has arrived. Throws if it cannot be loaded. */
export function useModule(load) {
  const [state, setState] = useState({ module: null });
  useEffect(() => {
    load().then((module) => setState({ module }), (error) => setState({ error }));
  }, []);
  if (state.error) throw state.error;
  return state.module;
}

/** Call `act` when the element of the returned ref comes near the viewport. */
export function useNear(act, isActive) {
  const element = useRef(null);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isActive || !element.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && latest.current(),
      { rootMargin: "400px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  });
  return element;
}

/** Clear the list of requests when another view is opened. */
export function useOwnExchanges(view) {
  useEffect(() => () => exchanges.set([]), [view]);
}
