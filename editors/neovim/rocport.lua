-- The language server of rocport in Neovim 0.7 or newer: see docs/editor.md.
-- In init.lua:  require('rocport').setup({ cmd = { '/path/to/rocport', 'lsp' } })
local M = {}

local types = { 'cuda', 'c', 'cpp', 'python', 'cmake', 'make' }
local marks = { '.rocport.yaml', 'compile_commands.json', '.git' }

-- The folder that `rocport audit` would be given.
local function root(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local at = folder
  while true do
    for _, mark in ipairs(marks) do
      if vim.loop.fs_stat(at .. '/' .. mark) then
        return at
      end
    end
    local above = vim.fn.fnamemodify(at, ':h')
    if above == at then
      return folder
    end
    at = above
  end
end

local clients = {}

function M.attach(cmd, buffer)
  local folder = root(vim.api.nvim_buf_get_name(buffer))
  if not clients[folder] then
    clients[folder] = vim.lsp.start_client({
      name = 'rocport',
      cmd = cmd,
      root_dir = folder,
      workspace_folders = { { uri = vim.uri_from_fname(folder), name = folder } },
      on_exit = function()
        clients[folder] = nil
      end,
    })
  end
  if clients[folder] then
    vim.lsp.buf_attach_client(buffer, clients[folder])
  end
end

function M.setup(options)
  local cmd = options and options.cmd or { 'rocport', 'lsp' }
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    pattern = { '*.cu', '*.cuh' },
    callback = function()
      vim.bo.filetype = 'cuda'
    end,
  })
  vim.api.nvim_create_autocmd('FileType', {
    pattern = types,
    callback = function(event)
      M.attach(cmd, event and event.buf or vim.api.nvim_get_current_buf())
    end,
  })
end

return M
