// Hooks with which views request one answer, or a sequence of them.
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
  const [turn, setTurn] = useState(0);
  const isConnected = useObserved(connected);
  const asked = args && JSON.stringify(args);
  useEffect(() => {
    if (asked === null || !isConnected) return setState(NOTHING);
    const controller = new AbortController();
    setState((before) => ({ ...before, error: null, isLoading: true }));
    ask(name, JSON.parse(asked), controller.signal).then(
      ({ body }) => setState({ ...NOTHING, body, asked }),
      (error) => error.name !== "AbortError" && setState({ ...NOTHING, error }),
    );
    return () => controller.abort();
  }, [name, asked, turn, isConnected]);
  const retry = useCallback(() => setTurn((count) => count + 1), []);
  return { ...state, retry };
}

/**
 * A sequence of answers, such as pages. next(body, args) returns the next arguments, or null.
 * Returns {bodies, error, isLoading, hasMore, more}; starts again when `args` changes.
 */
export function useFollowed(name, args, next) {
  const [state, setState] = useState({ bodies: [], error: null, isLoading: true, following: null });
  const current = useRef(null);
  const asked = JSON.stringify(args);
  const follow = useCallback((controller, what, bodies) => {
    setState({ bodies, error: null, isLoading: true, following: what });
    ask(name, what, controller.signal).then(
      ({ body }) =>
        setState({ bodies: [...bodies, body], error: null, isLoading: false, following: next(body, what) }),
      (error) =>
        error.name !== "AbortError" && setState({ bodies, error, isLoading: false, following: what }),
    );
  }, [name]);
  useEffect(() => {
    current.current = new AbortController();
    follow(current.current, JSON.parse(asked), []);
    return () => current.current.abort();
  }, [follow, asked]);
  const more = () => {
    if (!state.isLoading && state.following) follow(current.current, state.following, state.bodies);
  };
  return { ...state, hasMore: state.following !== null, more };
}

/** The value, after it has not changed for a while. */
export function useSettled(value, milliseconds = 250) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** A module that a view loads when it is opened; null until then. Without it the view fails. */
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

/** Show only requests of the open view. */
export function useOwnExchanges(view) {
  useEffect(() => () => exchanges.set([]), [view]);
}
