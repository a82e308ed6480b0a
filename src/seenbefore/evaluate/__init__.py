"""How good the decisions are on labelled data. A claim without labels is none."""

from .cases import CaseResult, CasesReport, evaluate_cases

__all__ = ["CaseResult", "CasesReport", "evaluate_cases"]
