import './docs.css'

// The pages of the API are complete without this: every example stands under the other. It lets people choose one
// language for all examples, copy an example, and find an operation.
const kept = 'connote.docs.language'
const every = <Kind extends Element>(selector: string) => Array.from(document.querySelectorAll<Kind>(selector))

function choose(language: string): void {
  for (const code of every<HTMLElement>('[data-code]')) code.hidden = code.dataset.code?.toLowerCase() !== language
  for (const button of every<HTMLElement>('[data-language]')) {
    button.setAttribute('aria-pressed', String(button.dataset.language === language))
  }
}

function read(): string {
  try {
    return localStorage.getItem(kept) ?? 'curl'
  } catch {
    return 'curl' // a browser that keeps nothing
  }
}

function keep(language: string): void {
  try {
    localStorage.setItem(kept, language)
  } catch {
    // A browser that keeps nothing asks again on the next page.
  }
}

for (const button of every<HTMLButtonElement>('[data-language]')) {
  button.addEventListener('click', () => {
    const language = button.dataset.language ?? 'curl'
    const top = button.getBoundingClientRect().top
    choose(language)
    keep(language)
    window.scrollBy(0, button.getBoundingClientRect().top - top)
  })
}
for (const group of every<HTMLElement>('.languages')) group.hidden = false
choose(read() === 'python' ? 'python' : 'curl')

for (const button of every<HTMLButtonElement>('.copy')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const code = button.closest('.code')?.querySelector('code')?.textContent ?? ''
    navigator.clipboard.writeText(code).then(
      () => say(button, 'Copied'),
      () => say(button, 'Not copied'),
    )
  })
}

function say(button: HTMLElement, words: string): void {
  button.textContent = words
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}

document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

const field = document.querySelector<HTMLInputElement>('.find')
field?.removeAttribute('hidden')
field?.addEventListener('input', () => find(field.value.trim().toLowerCase().split(/\s+/)))

function find(words: readonly string[]): void {
  let n = 0
  for (const room of every<HTMLElement>('.all > section')) {
    const rows = Array.from(room.querySelectorAll<HTMLElement>('.operations > li'))
    for (const row of rows) {
      const text = row.textContent.toLowerCase()
      row.hidden = !words.every((word) => text.includes(word))
    }
    const found = rows.filter(({ hidden }) => !hidden).length
    room.hidden = found === 0
    n += found
  }
  for (const none of every<HTMLElement>('.none')) none.hidden = n > 0
}
