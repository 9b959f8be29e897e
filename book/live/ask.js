// What the page asks of its server (grader/serve/http_request.hpp). A refusal is an Error with the name of why, for refusals.js.
export class Refusal extends Error {
  constructor(why, status, facts) {
    super(why);
    Object.assign(this, {why, status, facts});
  }
}

const PATIENCE = 30000; // news is answered after 20 s at the latest

export async function ask(name, facts = {}) {
  let reply;
  try {
    reply = await fetch(`/api/${name}`, {
      method: 'POST',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(facts),
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    throw new Refusal('lost');
  }
  const answer = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refusal(answer.error ?? 'refused', reply.status, answer);
  return answer;
}

// 'zh' on a page in Chinese.
export const language = () => (document.documentElement.lang.startsWith('zh') ? 'zh' : 'en');
