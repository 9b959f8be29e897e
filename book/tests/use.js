// A reader who tries everything: each widget by mouse and by keys, each question, light and dark, previous and next.

// What a widget says must change with its fields, and with an error in a field it must say what is wrong.
export const USES = {
  async banks(widget) {
    await widget.locator('[name=width]').selectOption('4');
    await widget.locator('[name=access]').selectOption('load');
    await widget.locator('[name=device]').selectOption('h200');
    await widget.locator('[name=mask]').fill('0xffffffff');
    await widget.locator('[name=index]').fill('33*t');
    return [
      /no conflicts/,
      async () => {
        await widget.locator('[name=index]').focus();
        await widget.page().keyboard.press('Control+A');
        await widget.page().keyboard.type('32*t');
        return /31 conflicts/;
      },
    ];
  },
  async tile(widget) {
    await widget.locator('[name=warp]').selectOption('column');
    await widget.locator('[name=swizzle]').selectOption('none');
    await widget.locator('[name=rows]').fill('32');
    await widget.locator('[name=columns]').fill('32');
    await widget.locator('[name=pitch]').fill('33');
    return [
      /no conflicts/,
      async () => {
        await widget.locator('[name=pitch]').focus();
        await widget.page().keyboard.press('ArrowDown');
        return /31 conflicts/;
      },
    ];
  },
  async reduction(widget) {
    await widget.locator('[name=threads]').selectOption('256');
    await widget.locator('[name=order]').selectOption('interleaved');
    const slider = widget.locator('[name=step]');
    const box = await slider.boundingBox();
    await slider.click({position: {x: 3, y: box.height / 2}});
    return [
      /Step 0, s = 1/,
      async () => {
        await slider.focus();
        await widget.page().keyboard.press('ArrowRight');
        return /Step 1, s = 2.*4-way/;
      },
    ];
  },
  async transpose(widget) {
    await widget.locator('[name=way]').selectOption('padded');
    return [
      /no conflicts|0 conflicts/,
      async () => {
        await widget.locator('[name=warp]').focus();
        await widget.page().keyboard.press('Home');
        await widget.page().keyboard.press('ArrowRight');
        return /Warp 1 /;
      },
    ];
  },
  async shuffle(widget) {
    await widget.locator('[name=width]').selectOption('32');
    await widget.locator('[name=op]').selectOption('xor');
    return [
      /shfl_xor/,
      async () => {
        await widget.locator('[name=by]').focus();
        await widget.page().keyboard.press('Home');
        return /, 0\).*32 lanes get their own value/;
      },
    ];
  },
  async occupancy(widget) {
    await widget.locator('[name=shared]').fill('0');
    await widget.locator('[name=threads]').fill('1024');
    await widget.locator('[name=registers]').fill('65');
    return [
      /Not one block fits/,
      async () => {
        await widget.locator('[name=registers]').focus();
        await widget.page().keyboard.press('ArrowDown');
        return /1 block/;
      },
    ];
  },
  async histogram(widget) {
    await widget.locator('[name=data]').selectOption('same');
    await widget.locator('[name=copies]').selectOption('warp');
    await widget.locator('[name=adds]').selectOption('other');
    return [
      /32 passes.*both add to bin 5/,
      async () => {
        await widget.locator('[name=copies]').focus();
        await widget.page().keyboard.press('End');
        // Its table has a total in the title, which follows the fields as well.
        const title = await widget.locator('details summary').innerText();
        if (!/: 32 passes|：32 趟/.test(title)) throw new Error(`the table is called "${title}"`);
        return /1 pass\..*Nobody waits/;
      },
    ];
  },
  async ring(widget) {
    await widget.locator('[name=stages]').selectOption('3');
    await widget.locator('[name=mistake]').selectOption('start');
    const slider = widget.locator('[name=step]');
    const box = await slider.boundingBox();
    await slider.click({position: {x: box.width / 2, y: box.height / 2}});
    return [
      /Nobody can go on/,
      async () => {
        await widget.locator('[name=mistake]').focus();
        await widget.page().keyboard.press('Home');
        await slider.focus();
        await widget.page().keyboard.press('Home');
        await widget.page().keyboard.press('ArrowRight');
        return /Step 1\. The producer asks for tile 0/;
      },
    ];
  },
  async box(widget) {
    await widget.locator('[name=row]').fill('128');
    await widget.locator('[name=rows]').fill('32');
    await widget.locator('[name=read]').selectOption('column');
    await widget.locator('[name=swizzle]').selectOption('128B');
    await widget.locator('[name=width]').selectOption('4');
    return [
      /3 conflicts, 4-way/,
      async () => {
        await widget.locator('[name=swizzle]').focus();
        await widget.page().keyboard.press('Home');
        return /31 conflicts, 32-way/;
      },
    ];
  },
  async cluster(widget) {
    await widget.locator('[name=blocks]').selectOption('4');
    await widget.locator('[name=access]').selectOption('load');
    await widget.locator('[name=me]').focus();
    await widget.page().keyboard.press('Home');
    await widget.locator('[name=target]').focus();
    await widget.page().keyboard.press('Home');
    await widget.page().keyboard.press('ArrowRight');
    await widget.locator('[name=index]').fill('33*t');
    return [
      /32 sectors/,
      async () => {
        await widget.locator('[name=index]').focus();
        await widget.page().keyboard.press('Control+A');
        await widget.page().keyboard.type('t');
        return /4 sectors of 32 bytes in 1 line/;
      },
    ];
  },
  async fragment(widget) {
    await widget.locator('[name=read]').selectOption('four');
    await widget.locator('[name=units]').selectOption('8');
    await widget.locator('[name=extra]').selectOption('0');
    await widget.locator('[name=order]').selectOption('row');
    return [
      /no conflicts/,
      async () => {
        await widget.locator('[name=order]').focus();
        await widget.page().keyboard.press('Home');
        return /28 conflicts/;
      },
    ];
  },
};

// The buttons beside a slider move it by one, and "Start again" brings everything back.
async function useSteps(widget, report) {
  const slider = widget.locator('input[type=range]').first();
  if ((await slider.count()) === 0) return;
  const less = widget.locator('.steps button').first(),
    more = widget.locator('.steps button').nth(1);
  const before = await slider.inputValue();
  await more.click();
  const after = await slider.inputValue();
  if (Number(after) !== Number(before) + 1) report(`+ leads from ${before} to ${after}`);
  await less.click();
  if ((await slider.inputValue()) !== before) report('\u2212 does not lead back');
}

async function startAgain(widget, name, report) {
  await widget.locator('button[type=reset]').click();
  const given = JSON.parse(await widget.getAttribute('data-given'));
  for (const [field, value] of Object.entries(given)) {
    const now = await widget.locator(`[name=${field}]`).inputValue();
    if (now !== value && Number(now) !== Number(value))
      report(`${name}: after "Start again" ${field} is ${now}, not ${value}`);
  }
  await widget
    .locator('.problem')
    .waitFor({state: 'hidden'}) // the widget looks at its fields after the browser has reset them
    .catch(() => report(`${name}: after "Start again" there is still a problem`));
}

// `known`: kinds that need not be tried again; those that are tried are added.
export async function useWidgets(tab, report, known) {
  for (const widget of await tab.locator('[data-widget]').all()) {
    const name = await widget.getAttribute('data-widget');
    if (known?.has(name)) continue;
    known?.add(name);
    const says = async () => (await widget.locator('.says').textContent()).replace(/\s+/g, ' ');
    const expect = async (pattern, by) => {
      const text = await says();
      if (!pattern.test(text)) report(`${name} by ${by}: says "${text}", not ${pattern}`);
    };
    const [byMouse, byKeys] = await USES[name](widget);
    await expect(byMouse, 'mouse');
    await useSteps(widget, (text) => report(`${name}: ${text}`));
    await expect(await byKeys(), 'keys');
    const typed = widget.locator('input[type=text], input[type=number]').first();
    if ((await typed.count()) === 0) {
      await startAgain(widget, name, report);
      continue;
    }
    await typed.evaluate((input) => {
      input.value = '';
      input.dispatchEvent(new Event('input', {bubbles: true}));
    });
    if (!(await widget.locator('.problem').isVisible()))
      report(`${name}: an empty field is no problem to it`);
    await startAgain(widget, name, report);
  }
}

export async function useQuestions(tab, report) {
  for (const question of await tab.locator('section.question').all()) {
    const verdict = question.locator('.verdict');
    const isJudged = async (how) =>
      (await question.getAttribute('class')).split(' ').includes(how) &&
      (await verdict.textContent()) !== '';
    const label = await question.getAttribute('aria-label');
    const right = await question.getAttribute('data-right');
    if (right !== null) {
      const choices = question.locator('.choices button');
      const wrong = (Number(right) + 1) % (await choices.count());
      await choices.nth(wrong).click();
      if (!(await isJudged('wrong'))) report(`${label}: a wrong choice passes for right`);
      await choices.nth(Number(right)).focus();
      await tab.keyboard.press('Enter');
    } else {
      const value = Number(await question.getAttribute('data-value'));
      await question.locator('input').fill(String(value + Math.max(1, Math.abs(value))));
      await question.locator('button').click();
      if (!(await isJudged('wrong'))) report(`${label}: a wrong number passes for right`);
      await question.locator('input').fill(String(value));
      await tab.keyboard.press('Enter');
    }
    if (!(await isJudged('right'))) report(`${label}: the right answer is refused`);
    if (!(await question.locator('details.answer').evaluate((one) => one.open)))
      report(`${label}: the explanation stays shut`);
  }
}

// Every button copies the text beside it, without the numbers of lines.
export async function useCopy(tab, report) {
  await tab.evaluate(() => {
    window.copied = [];
    Object.defineProperty(navigator, 'clipboard', {
      value: {writeText: async (text) => void window.copied.push(text)},
    });
  });
  for (const button of await tab.locator('button.copy').all()) {
    const wanted = await button.evaluate((one) =>
      [...one.parentElement.querySelectorAll('pre .line')].map((line) => line.textContent),
    );
    if (!(await button.isVisible())) continue; // in a fold
    await button.focus();
    await tab.keyboard.press('Enter');
    const copied = await tab.evaluate(() => window.copied.pop());
    if (copied === undefined || copied.trimEnd() !== wanted.join('\n').trimEnd())
      report(`a copy button copies ${JSON.stringify(copied)?.slice(0, 60)}`);
  }
}

export async function useTheme(tab, report) {
  const paper = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await paper();
  await tab.locator('button.theme').focus();
  await tab.keyboard.press('Enter');
  if ((await paper()) === before) report('the theme button changes nothing');
  await tab.reload();
  if ((await paper()) === before) report('the theme is forgotten on the next page');
  await tab.locator('button.theme').click();
}

// From the first page to the last by one key, and every page once.
export async function walkThrough(tab, count, report) {
  const seen = new Set([tab.url()]);
  for (;;) {
    const next = tab.locator('.pager a[rel=next]');
    if ((await next.count()) === 0) break;
    const to = await next.evaluate((link) => link.href);
    await tab.keyboard.press('ArrowRight');
    await tab.waitForURL(to);
    if (seen.has(to)) return report(`the walk comes to ${to} again`);
    seen.add(to);
  }
  if (seen.size !== count) report(`the walk has ${seen.size} pages of ${count}`);
}

export async function walkByKeys(tab, report) {
  const next = tab.locator('.pager a[rel=next]');
  if ((await next.count()) === 0) return;
  await tab.locator('h1').click();
  const to = await next.evaluate((link) => link.href),
    from = tab.url();
  await tab.keyboard.press('ArrowRight');
  await tab.waitForURL(to).catch(() => report('the right arrow does not turn the page'));
  await tab.keyboard.press('ArrowLeft');
  await tab.waitForURL(from).catch(() => report('the left arrow does not turn it back'));
}
