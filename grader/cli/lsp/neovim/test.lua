-- What test.sh has Neovim do without a screen: COURSE_FILE is an exercise as it is found, COURSE_SOLUTION one that passes.
local function check(what, holds, seen)
  if holds then return end
  io.stderr:write(what .. '; seen: ' .. vim.inspect(seen) .. '\n')
  vim.cmd('cquit 1')
end
local function await(what, holds, seen)
  check(what, vim.wait(120000, holds, 50), seen())
end
local function found()
  return vim.diagnostic.get(0)
end
-- What stands behind lines, by line: inlay hints, or what is drawn there where Neovim has none.
local function words()
  local all = {}
  if vim.lsp.inlay_hint then
    for _, one in ipairs(vim.lsp.inlay_hint.get({bufnr = 0})) do
      all[one.inlay_hint.position.line + 1] = one.inlay_hint.label
    end
    return all
  end
  for _, space in pairs(vim.api.nvim_get_namespaces()) do
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, {details = true})) do
      for _, piece in ipairs(mark[4].virt_text or {}) do
        all[mark[2] + 1] = (all[mark[2] + 1] or '') .. piece[1]
      end
    end
  end
  return all
end
local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
local function has(text, part)
  return text ~= nil and text:find(part, 1, true) ~= nil
end

vim.cmd('edit ' .. vim.env.COURSE_FILE)
local reads = vim.fn.search('= tile\\[threadIdx.x\\]\\[threadIdx.y\\]', 'n')
check('the skeleton reads a column', reads > 0, reads)
await('a diagnostic of the skeleton', function() return #found() == 1 end, found)
local one = found()[1]
check('it is at the line that reads a column', one.lnum + 1 == reads, one)
check('it says what is the matter', has(one.message, 'conflicts: 31 per request') and one.source == 'course', one)
await('words behind that line', function() return has(words()[reads], '31 conflicts, 4 sectors per request') end, words)
await('words behind a line without a fault',
  function() return has(words()[reads - 7], 'no conflicts, 4 sectors per request') end, words)

local at = {textDocument = vim.lsp.util.make_text_document_params(), position = {line = reads - 1, character = 0}}
local pages = vim.lsp.buf_request_sync(0, 'textDocument/hover', at, 10000)
local page = select(2, next(pages)).result.contents.value
check('the hover draws lanes and banks', has(page, 'bank    0    0    0'), page)

local skeleton = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.fn.readfile(vim.env.COURSE_SOLUTION))
vim.cmd('write')
await('nothing once it is mended', function() return #found() == 0 end, found)
await('words of the mended file', function()
  local all = vim.inspect(words())
  return has(all, 'no conflicts') and not has(all, '31 conflicts')
end, words)

vim.api.nvim_buf_set_lines(0, 0, -1, false, skeleton)
vim.cmd('write')
await('the diagnostic is back', function() return #found() == 1 end, found)
for _, client in pairs(clients()) do vim.lsp.stop_client(client.id) end
await('the server ends', function() return #clients() == 0 end, clients)
vim.cmd('quitall!')
