"""How good the decisions are on labeled data. A claim without labels is none."""

from .cases import CaseResult, CasesReport, evaluate_cases
from .replay import FeedReport, ReplayReport, evaluate_replay
from .replay_gold import GoldReport
from .urls import UrlPairsReport, evaluate_urls

__all__ = [
    "CaseResult",
    "CasesReport",
    "FeedReport",
    "GoldReport",
    "ReplayReport",
    "UrlPairsReport",
    "evaluate_cases",
    "evaluate_replay",
    "evaluate_urls",
]
