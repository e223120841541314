// Reads the service with the clients that were made from its document: `node read.js URL KEY`.
import createClient from "openapi-fetch";
import type { paths } from "./api";
import { client as heyClient } from "./hey/client.gen";
import { getContext, listKnowledge, readKnowledge, searchContext } from "./hey/sdk.gen";

declare const process: { argv: string[] };

const [baseUrl, key] = process.argv.slice(2) as [string, string];
const headers = { Authorization: `Bearer ${key}` };

function need<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function withTypes() {
  const api = createClient<paths>({ baseUrl, headers });
  const listed = need(await api.GET("/knowledge"));
  const id = listed.data[0]!.id;
  const query = { q: "document", limit: 3 };
  const missing = await api.GET("/knowledge/{id}", { params: { path: { id: "note:00000000-0000-4000-8000-000000000000" } } });
  return {
    organization: need(await api.GET("/context")).data.organization.displayName,
    found: need(await api.GET("/search", { params: { query } })).data.items.map((one) => one.id),
    listed: listed.data.map((one) => one.id),
    read: need(await api.GET("/knowledge/{id}", { params: { path: { id } } })).data.id,
    missing: missing.error?.error.code,
  };
}

async function withHey() {
  heyClient.setConfig({ baseUrl, auth: () => key });
  const listed = need(await listKnowledge());
  const id = listed.data[0]!.id;
  const missing = await readKnowledge({ path: { id: "note:00000000-0000-4000-8000-000000000000" } });
  return {
    organization: need(await getContext()).data.organization.displayName,
    found: need(await searchContext({ query: { q: "document", limit: 3 } })).data.items.map(
      (one) => one.id,
    ),
    listed: listed.data.map((one) => one.id),
    read: need(await readKnowledge({ path: { id } })).data.id,
    missing: missing.error?.error.code,
  };
}

Promise.all([withTypes(), withHey()]).then((read) => console.log(JSON.stringify(read)));
