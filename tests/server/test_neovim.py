"""The language server in a real editor: Neovim without a screen, told by a script in its own language."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra `lsp`")

REPOSITORY = Path(__file__).resolve().parents[2]
FAULTY = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0\n"

SCRIPT = """
local result = {}
local function wait(what, true_)
  if not vim.wait(30000, true_, 20) then result.timeout = what end
end
local function finish()
  vim.fn.writefile({ vim.fn.json_encode(result) }, os.getenv("RESULT"))
  vim.cmd("qall!")
end

vim.cmd("edit a.py")
vim.lsp.start_client({
  name = "jaxlint",
  cmd = { os.getenv("PYTHON"), "-m", "jaxlint", "server" },
  root_dir = vim.fn.getcwd(),
  on_init = function(client) vim.lsp.buf_attach_client(0, client.id) end,
})
wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
result.diagnostics = vim.tbl_map(function(each)
  return { code = each.code, row = each.lnum, column = each.col, source = each.source }
end, vim.diagnostic.get(0))

vim.api.nvim_win_set_cursor(0, { 4, 0 })
local position = vim.lsp.util.make_position_params()
local hovers = vim.lsp.buf_request_sync(0, "textDocument/hover", position, 30000) or {}
for _, hover in pairs(hovers) do
  if hover.result then result.hover = hover.result.contents.value end
end

local range = vim.lsp.util.make_range_params()
range.context = { diagnostics = {} }
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", range, 30000) or {}
result.actions = {}
for _, answer in pairs(answers) do
  for _, action in ipairs(answer.result or {}) do
    table.insert(result.actions, action.title)
    if action.isPreferred then vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
  end
end
wait("no diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
result.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
finish()
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed (Debian: apt-get install neovim)")
def test_diagnostics_hover_and_a_fix_in_neovim(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(FAULTY)
    (tmp_path / "script.lua").write_text(SCRIPT)
    result = tmp_path / "result.json"
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHON": sys.executable, "RESULT": str(result)}
    command = ["nvim", "--headless", "--clean", "-n", "-c", "luafile script.lua"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=110)
    assert result.exists(), done.stdout + done.stderr
    seen = json.loads(result.read_text())
    assert "timeout" not in seen, seen
    assert seen["diagnostics"] == [{"code": "in-place-update", "row": 3, "column": 0, "source": "jaxlint"}]
    assert seen["hover"].startswith("`x`: an array on the device, shape (3)")
    assert "Ignore in-place-update here" in seen["actions"]
    assert seen["text"] == [*FAULTY.split("\n")[:3], "x = x.at[0].set(1.0)"]
