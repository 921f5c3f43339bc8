-- Proviso in Neovim (0.7 or later): put this into init.lua, or `:luafile` it.
vim.api.nvim_create_autocmd("FileType", {
  pattern = "python",
  callback = function()
    local client = vim.lsp.start_client({
      name = "proviso",
      cmd = { "proviso", "lsp" },
      root_dir = vim.fn.getcwd(),
    })
    if client then vim.lsp.buf_attach_client(0, client) end
  end,
})
-- The verdicts of a schedule's calls, beside them.
vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "DiagnosticChanged" }, {
  pattern = "*.sch.py",
  callback = function() vim.lsp.codelens.refresh() end,
})
