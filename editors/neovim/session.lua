-- A headless session: opens a file, shows its findings, ports a line and the file, and shows what
-- is left. The environment has ROCPORT (the launcher), FILE and LINE (1-based). Writes no file.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = here .. '/?.lua;' .. package.path
require('rocport').setup({ cmd = { vim.env.ROCPORT, 'lsp' } })

local function say(text)
  io.stdout:write(text .. '\n')
end

local function findings()
  return vim.diagnostic.get(0)
end

local function show(title)
  say(title .. ': ' .. #findings() .. ' findings')
  for _, d in ipairs(findings()) do
    say(string.format('  %d:%d %s %s', d.lnum + 1, d.col + 1,
      vim.diagnostic.severity[d.severity], d.message:match('^[^\n]*'):sub(1, 90)))
  end
end

local function wait(what, done)
  if not vim.wait(60000, done, 20) then
    say('failed: ' .. what)
    vim.cmd('cquit 1')
  end
end

local function actions(line)
  local place = { line = line, character = 0 }
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = place, ['end'] = place },
    context = { diagnostics = {} },
  }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 60000)) do
    return answer.result
  end
end

local function apply(line, title)
  for _, action in ipairs(actions(line)) do
    if vim.startswith(action.title, title) then
      say('apply: ' .. action.title)
      vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
      return
    end
  end
  say('failed: no action ' .. title)
  vim.cmd('cquit 1')
end

vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.FILE))
local line = tonumber(vim.env.LINE) - 1
wait('no finding in this line', function()
  for _, d in ipairs(findings()) do
    if d.lnum == line then
      return true
    end
  end
end)
show('opened')
local before = #findings()

local params = vim.lsp.util.make_position_params(0, 'utf-16')
params.position = { line = 0, character = 12 }
for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 60000)) do
  if answer.result then
    say('hover: ' .. answer.result.contents.value:match('^[^\n]*'))
  end
end

apply(line, 'Port this line')
wait('the finding is still there', function()
  return #findings() < before
end)
show('line ported')
apply(0, 'Port this file')
vim.wait(1500)
show('file ported')
say(vim.bo.modified and 'the buffer is changed, the file is not' or 'the buffer is unchanged')
vim.cmd('qall!')
