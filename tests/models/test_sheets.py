"""Contact sheets: everything asked for is on them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.studio.__main__ import main
from models.studio.sheet import contact_sheet


def test_pictures_stand_in_rows_and_keep_their_proportions() -> None:
    wide, tall = np.full((50, 100, 3), 200, np.uint8), np.full((100, 50, 3), 100, np.uint8)
    sheet = contact_sheet([wide, tall, wide], columns=2, side=60)
    assert sheet.shape == (120, 120, 3)
    assert [sheet[10, 30, 0], sheet[50, 30, 0]] == [200, 24]
    assert [sheet[50, 75, 0], sheet[10, 110, 0]] == [100, 24]
    assert sheet[70, 110, 0] == 24, "the last square stays empty"


def test_scenes_are_laid_beside_photographs(tmp_path: Path) -> None:
    (tmp_path / "photos" / "deep").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "photos" / "deep" / "one.jpg"), np.full((60, 80, 3), 255, np.uint8))
    out = tmp_path / "sheet.png"
    arguments = [
        "sheet",
        "bits",
        str(out),
        "--count",
        "2",
        "--beside",
        str(tmp_path / "photos"),
        "--outlines",
    ]
    assert main(arguments) == 0
    sheet = cv2.imread(str(out))
    assert sheet.shape == (480, 4 * 480, 3)
    assert sheet[:300, :400].min() > 250, "the photograph comes first"
    assert sheet[:300, 480:900].std() > 5


def test_a_sheet_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="cannot be written"):
        main(["crops", "bits", str(tmp_path / "no" / "such.png"), "--count", "24", "--pixels", "16"])
