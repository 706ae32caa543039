"""Switches on one fault at a time and checks that the named test catches it.

Usage: mutants.py PROGRAM

PROGRAM is the instrumented test program (instrumented_test). Every fault of
src/southwell/core/fault.hpp must be in the table below; each named test must pass without the
fault and fail with it (a crash or a hang does not count). All of them take a few seconds, so they
run with the other tests. Prints the table fault | test that fails | killed; exits 1 if a fault
survives or is not listed.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

FAULTS = Path(__file__).resolve().parent.parent / "src/southwell/core/fault.hpp"

# What testing.md calls the fault stands beside ours where the words differ.
KILLED_BY: dict[str, str | tuple[str, ...]] = {
    "key_is_constant": "RandomBits.OfAHundredThousandFitsAreAllDistinct",
    "entropy_failure_is_ignored": "RandomBits.AreRefusedWithoutEntropy",
    "fork_keeps_the_key": "RandomBits.OfParentAndForkedChildrenAreDistinct",
    "child_streams_have_the_parents_key": (
        "RandomBits.OfAStreamThatAChildAsksForFirstAreNotItsParents"
    ),
    "threads_share_their_bits": "RandomBits.OfTwoThreadsAreDistinct",  # one stream for two threads
    # Selection noise reused in the update.
    "purposes_share_their_bits": "DiscreteLaplaceRelease.HasNoiseIndependentOfTheSelection",
    "stream_is_handed_out_twice": "RandomBits.HandOutAStreamOnlyOnce",
    "seed_taint_is_lost": "Release/*.KnowsWhereItsNoiseCameFrom",  # seed honoured in certified mode
    "any_entropy_counts_as_the_systems": "RandomBits.OfAnotherEntropySourceAreNotTheSystems",
    "uniform_by_remainder": "UniformBelow.GivesEveryValueTheSameNumberOfWords",
    "exp_chance_counts_the_wrong_parity": "ExpChance.HasProbabilityExpMinusX",
    "exp_chance_forgets_the_whole_part": "ExpChance.HasProbabilityExpMinusX",
    "laplace_scale_is_halved": "DiscreteLaplace.HasItsWholeLawAtSmallScales",  # scale/2
    "laplace_scale_is_5_percent_short": "DiscreteLaplace.HasItsScaleWithinFivePercent",
    "laplace_counts_zero_twice": "DiscreteLaplace.HasItsWholeLawAtSmallScales",
    "gaussian_accepts_every_proposal": "DiscreteGaussian.HasItsWholeLawAtSmallScales",
    "gaussian_scale_is_5_percent_short": "DiscreteGaussian.HasItsScaleWithinFivePercent",
    "gaussian_forgets_the_cross_term": "DiscreteGaussian.HasItsWholeLawAtSmallScales",
    "gaussian_cells_end_with_their_table": "GaussianCells.FollowNumbersThatBeginLikeAnEdge",
    "scale_is_rounded_down": "Scale.IsTheSmallestThatKeepsEpsilon",  # ceil -> floor
    "sensitivity_of_adding_when_replacing":  # K for 2K
    "DiscreteLaplaceRelease.KeepsItsPromiseWhenARecordIsReplaced",
    "noise_is_used_twice": "Release/*.SpendsItsNoise",  # noise reused
    "noise_survives_a_fork": "Release/*.RefusesInAChildTheNoiseThatItsParentHasToo",
    "noise_of_another_scale_is_accepted": "Release/*.RefusesNoiseDrawnForSomethingElse",
    "noise_of_another_kind_is_accepted": "Release/*.RefusesNoiseOfTheOtherKind",
    "release_wraps_around": "SaturatedSum.SaturatesAfterTheAddition",
    "release_saturates_the_noise": "SaturatedSum.SaturatesAfterTheAddition",
    "release_adds_no_noise": "Release/*.IsTheValuePlusItsSamplersDraw",
    "exponential_scale_is_halved": "ExponentialMechanism.IsToldApartFromPermuteAndFlip",
    "exponential_prefers_low_scores": "ExponentialMechanism.PrefersHighScores",
    "exponential_drops_the_low_half": "SelectionWeights.AddUpToTheirTotal",
    "exponential_floor_is_too_high": "SelectionWeights.AreWithinTheirErrorOfTheIdealOnes",
    "exponential_cell_is_off_by_one": "SelectionWeights.PutEveryNumberBelowTheTotalIntoItsCell",
    "exponential_skips_the_tail": "ExponentialMechanism.ReachesTheLastOfManyBlocks",
    "flip_scale_is_halved": "PermuteAndFlip.IsPureBetweenAllNeighbours",
    "flip_prefers_low_scores": "PermuteAndFlip.PrefersHighScores",
    "flip_does_not_clamp": "PermuteAndFlip.ClampsScoresTo2To61",
    # Drawing with replacement is the exponential mechanism's law.
    "flip_replaces_what_it_drew": "ExponentialMechanism.IsToldApartFromPermuteAndFlip",
    "flip_is_charged_as_bounded_range": "PermuteAndFlip.IsPureButNotBoundedRange",
    "noisy_max_has_the_papers_scale": "NoisyMax.KeepsItsPromiseWhenScoresMoveInOppositeDirections",
    "noisy_max_shares_one_draw": "NoisyMax.DrawsANoiseForEachCandidate",
    "noisy_max_gives_ties_to_the_last": "NoisyMax.GivesTiesToTheLowestIndex",
    "noisy_max_prefers_low_scores": "NoisyMax.PrefersHighScores",
    "noisy_max_does_not_clamp": "NoisyMax.ClampsScoresTo2To61",
    "paper_noise_has_no_absolute_value": "UnsoundNoisyMax.TakesTheLargestScoreOfEveryRule",
    "paper_gs_q_takes_the_maximum": "UnsoundNoisyMax.TakesTheLargestScoreOfEveryRule",
    "paper_noise_outside_the_threshold": "UnsoundNoisyMax.PutsItsNoiseInsideTheThreshold",
    "clip_root_is_rounded_down": "L2Clip.NeverExceedsItsBoundOnRandomRecords",
    "clip_share_is_rounded_to_nearest": "L2Clip.NeverExceedsItsBoundOnRandomRecords",
    "clip_bound_is_one_more": "L2Clip.NeverExceedsItsBoundOnRandomRecords",  # K + 1
    "clip_bound_is_one_less": "L2Clip.KeepsShortRecordsAsTheyAreOnTheGrid",  # K - 1
    "clip_keeps_nan": "L2Clip.CountsNanAsZero",
    "block_trusts_long_records": "BlockClip.ShrinksLongRecordsRightInTwoSteps",
    "block_trusts_rounded_squares": "BlockClip.ShrinksRightWhereTheWayIsChanged",
    "clip_keeps_long_records": "TappedSgd.HasItsL2SensitivityOnEveryReplacedRecordOfTheValueTable",
    "exponential_in_callers_environment": "SelectionWeights.HaveTheSameBitsInEveryFloatEnvironment",
    "sampling_includes_the_threshold": "PoissonSample.IncludesExactlyTheNumbersBelowTheNumerator",
    "composition_forgets_repeats": "Composition.AddsUp",
    "basic_forgets_the_count": "BasicComposition.IsTheSumOfPureEpsilonsRoundedUp",  # T for 2T
    "basic_is_rounded_down": "BasicComposition.IsTheSumOfPureEpsilonsRoundedUp",
    "range_slack_is_free": "BasicComposition.ChargesWhatTheWeightsAddToTheRange",
    "renyi_forgets_the_count": "Spent.IsNeverBelowTheTrueLossOfComposedMechanisms",  # T for 2T
    "renyi_conversion_forgets_delta": "Spent.IsNeverBelowTheTrueLossOfComposedMechanisms",
    "renyi_conversion_gains_twice": "RenyiEpsilon.IsItsMomentsConvertedAtItsOrderRoundedUp",
    "renyi_is_rounded_down": "RenyiEpsilon.IsItsMomentsConvertedAtItsOrderRoundedUp",
    "range_is_halved": "RenyiMoment.OfBoundedRangeIsTheLargestOverAllPairs",
    "range_closed_form_forgets_a_term": "RenyiMoment.OfBoundedRangeIsTheLargestOverAllPairs",
    "pure_moment_is_halved": "RenyiMoment.OfPureMechanismsIsThatOfRandomisedResponse",
    "laplace_moment_weighs_the_far_tail": "RenyiMoment.OfDiscreteLaplaceIsTheSum",
    "gaussian_moment_is_halved": "RenyiMoment.OfDiscreteGaussianIsNotBelowTheSum",
    "sampling_counts_twice": (
        "SampledGaussian.IsNotBelowTheIntegralAtAnyOrderAndExactAtWholeOnesForAdding"
    ),
    "sampled_order_is_rounded_down": (
        "SampledGaussian.IsNotBelowTheIntegralAtAnyOrderAndExactAtWholeOnesForAdding"
    ),
    "replacing_is_charged_as_adding": "SampledGaussian.IsTheIntegralOfTheWorstPairForReplacing",
    "worst_pair_weighs_one_side": "SampledGaussian.IsTheIntegralOfTheWorstPairForReplacing",
    "worst_pair_forgets_the_lattice": "SampledGaussian.ChargesWhatTheLatticeAddsToTheContinuousLaw",
    "worst_pair_forgets_its_tail": "SampledGaussian.IsTheIntegralOfTheWorstPairForReplacing",
    # 2 alpha s without sampling, not alpha s.
    "unsampled_replacing_is_halved": (
        "SampledGaussian.CostsNothingIfNobodyIsSampledAndAllIfEverybodyIs"
    ),
    "chord_ends_at_knots": "HockeyStick.OfOneSelectionIsTheKnownCurve",
    "chord_curve_forgets_a_use": ("HockeyStick.OfTwoSelectionsIsTheWorstOfAllPairsForEachOutcome"),
    "curve_begins_flat": "HockeyStick.IsABoundWhereverItsKnotsEnd",
    "curve_ends_in_nothing": "HockeyStick.IsABoundWhereverItsKnotsEnd",
    "hockey_stick_forgets_the_least": "HockeyStick.IsABoundWhereverItsKnotsEnd",
    "ranges_keep_one_order": "HockeyStick.OfTwoRangesBoundsBothOrders",
    "hockey_stick_halves_the_shift": "HockeyStick.OfGaussianNoiseAloneIsTheAnalyticCurve",
    "hockey_stick_forgets_the_lattice": "HockeyStick.ChargesNoiseOnWholeNumbersForItsLattice",
    "hockey_stick_takes_the_unsafe_end": "HockeyStick.OfGaussianNoiseAloneIsTheAnalyticCurve",
    # The norm limit in the fit alone.
    "predictions_forget_the_record_limit": (
        "TappedLimit.PredictionsOfLongRecordsAreThoseOfShortenedOnes"
    ),
    # A clip per head, and an intercept outside it.
    "clip_is_of_each_head": "TappedNorm.OfManyClassesHasItsSensitivity",
    "intercept_is_outside_the_clip": (
        "TappedNorm.HasItsSensitivityOnEveryReplacedRecordOfTheValueTable"
    ),
    "factor_is_outside_the_clip": (
        "TappedNorm.CalibratedHasItsSensitivityOnEveryReplacedRecordOfTheValueTable"
    ),
    "factor_is_not_charged": "TappedNorm.DoesWhatItsStatementChargesAndNothingElse",
    "record_norm_is_not_charged": "TappedNorm.DoesWhatItsStatementChargesAndNothingElse",
    "calibration_takes_the_unsafe_end": (
        "Calibration.NeverOvershootsAndWastesNothingOverTheWholeBox"
    ),
    # K + 1, K - 1.
    "contribution_bound_is_one_more": "TappedFit.GivesAContributionAtTheClipItsWholeBound",
    "contribution_bound_is_one_less": "TappedFit.GivesAContributionAtTheClipItsWholeBound",
    "contribution_keeps_nan": "TappedFit.HasItsSensitivityOnEveryReplacedRecordOfTheValueTable",
    "contribution_tail_is_not_clamped": "TappedFit.HasItsSensitivityInEveryTailThreadAndShard",
    # A clip skipped on one path.
    "sparse_entries_are_not_clamped": "TappedFit.HasItsSensitivityInEveryTailThreadAndShard",
    "slopes_of_later_parts_are_stale": "TappedFit.IsTheSameOnManyThreadsWhereEachHasWork",
    "scores_of_later_parts_are_stale": "TappedFit.IsTheSameOnManyThreadsWhereEachHasWork",
    "coordinate_slopes_are_stale": "TappedCd.ReleasesTheGradientAtItsIterate",
    "ids_are_compared_by_hash": "Units.AreToldApartByTheWholeTextOfTheirIds",
    "unit_weight_is_forgotten": "TappedUnits.OfCdHaveTheSensitivityOfARecord",
    "unit_bound_is_rounded_to_nearest": "TappedUnits.OfCdHaveTheSensitivityOfARecord",
    "units_are_counted_in_chunks": "TappedUnits.OfCdHaveTheSensitivityOfARecord",
    "room_forgets_the_weight": "TappedUnits.OfRefinedSgdHaveTheL2SensitivityOfARecord",
    "unit_count_is_that_of_records": (
        "TappedUnits.TwiceAsManyRowsOfEachChangeNeitherNoiseNorStatement"
    ),
    "unit_magnitude_is_that_of_its_first": (
        "MagnitudeScores.OfUnitsDoNotDependOnTheOrderOfTheirRecords"
    ),
    "room_counts_the_whole_bound": "TappedRefined.RoomIsWhatARecordLeavesOfItsBound",
    "slope_limit_may_pass_the_bound": (
        "TappedRefinedSgd.HasItsL2SensitivityOnEveryReplacedRecordOfTheValueTable"
    ),
    # The number of polish releases depends on data.
    "moments_are_charged_and_skipped": (
        "TappedRefined.DoesWhatItsStatementChargesAndNothingElse",
        "TappedNorm.WhitenedDoesWhatItsStatementCharges",
    ),
    "moments_are_released_on_a_whim": ("TappedRefined.DoesWhatItsStatementChargesAndNothingElse"),
    "moments_are_not_charged": (
        "TappedRefined.DoesWhatItsStatementChargesAndNothingElse",
        "TappedNorm.WhitenedDoesWhatItsStatementCharges",
    ),
    "polish_ends_when_it_has_converged": (
        "TappedRefined.DoesWhatItsStatementChargesAndNothingElse"
    ),
    "sgd_samples_twice_its_rate": "TappedSgd.SamplesEachRecordAtItsRate",
    "sgd_keeps_its_first_batch": "TappedSgd.SamplesEachRecordAtItsRate",
    "line_loss_is_not_clipped": "LineScores.AreMinusTheClippedLossesOfTheModels",
    "choice_is_not_charged": "TappedRefined.DoesWhatItsStatementChargesAndNothingElse",
    "choice_without_noise": "TappedRefined.DoesWhatItsStatementChargesAndNothingElse",
    "moments_forget_the_weight": "MomentSums.OfUnitsMoveNoFartherThanThoseOfARecord",
    "moment_bound_is_one_more": "MomentSums.MoveNoFartherThanTheirSensitivity",
    "magnitude_score_counts_twice": "TappedFit.FindsTheTargetScaleByAMechanismItCharges",
    "zero_is_the_least_magnitude": "MagnitudeScores.OfZerosAndNanAreThoseOfNobody",
    "target_scale_is_not_charged": "TappedFit.FindsTheTargetScaleByAMechanismItCharges",
    "target_scale_without_noise": "TappedFit.FindsTheTargetScaleByAMechanismItCharges",
    "reach_is_not_charged": "TappedFit.FindsTheTargetScaleByAMechanismItCharges",
    "reach_without_noise": "TappedFit.FindsTheTargetScaleByAMechanismItCharges",
    "reach_counts_twice": "MagnitudeScores.CountWhatReachesAMagnitudeWithinTheirSensitivity",
    "score_has_no_absolute_value": "TappedFit.OfASteepNegativeSlopeChoosesIt",
    "score_has_slope_two": "TappedFit.HasItsSensitivityOnEveryReplacedRecordOfTheValueTable",
    "fit_stops_early": "TappedFit.HasItsSensitivityInEveryTailThreadAndShard",
    "fit_counts_half_its_iterations": "TappedFit.DoesWhatItsStatementChargesAndNothingElse",
    # n from data, M_j from data.
    "fit_divides_by_the_records_it_sees": (
        "TappedFit.HasHalfTheSensitivityWhenARecordIsAddedDownToNone"
    ),
    "fit_reads_its_scales_from_the_data": "TappedFit.HasItsSensitivityInEveryTailThreadAndShard",
    "fit_refuses_nan": "TappedFit.HasItsSensitivityOnEveryReplacedRecordOfTheValueTable",
    "fit_certifies_a_seed": "TappedFit.NeverCertifiesASeed",
    "fit_forgets_what_its_start_cost": "TappedFit.AddsWhatItsStartCost",
    # Histogram sensitivity 1 for the root of 2.
    "histogram_moves_as_when_adding": (
        "TappedEvaluation.HasItsSensitivityOnEveryReplacedRecordOfTheValueTable"
    ),
    "figures_certify_a_seed": "TappedEvaluation.NeverCertifiesASeed",
    "figures_without_noise": "TappedEvaluation.DoesWhatItsStatementChargesAndNothingElse",
    "assessed_units_count_every_record": "TappedEvaluation.OfUnitsHasTheSensitivityOfOneRecord",
    "subset_takes_the_first": "RandomSubset.GivesEverySubsetTheSameChance",
    # Parts summed by maximum although they overlap.
    "parts_forget_what_all_meet": "Parts.CountWhatAllRecordsMeetInEach",
    "figures_of_the_fits_records": "TappedHeldOut.ChangesOnePartWithOneUnit",
    # The part with the larger epsilon charged instead of the largest of all, or at each order.
    "parts_charge_the_one_dearest_alone": (
        "Parts.AreComparedTogetherWithWhatAllMeet",
        "RepeatedRuns.TakeTheLargestAtEveryOrder",
    ),
    "plans_have_the_whole_delta": "Parts.OfPlansAreNeverBelowTheTrueLossByEnumeration",
    "split_from_a_public_seed": "TappedHeldOut.DrawsAnotherSplitForEveryFit",
    # A split from content, and from ids.
    "split_follows_the_target": (
        "TappedHeldOut.ChangesOnePartWithOneUnit",
        "TappedHeldOut.DoesNotFollowTheIds",
    ),
    "figures_are_not_charged": "TappedHeldOut.DoesWhatItsStatementChargesAndNothingElse",
    "filter_rounds_down": "RenyiFilter.RoundsItsSumsUp",
    "filter_gives_delta_twice": (
        "FilterTerms.HaveABoundThatConvertsToTheBudget",
        "LedgerGame.IsNotWonByAnyAdversaryByEnumeration",
    ),
    "ledger_adds_profiles": "Ledger.AddsUpNoProfiles",
    "ledger_chain_is_not_checked": "Ledger.FindsEveryChangeOfItsFile",
    "ledger_is_not_locked": "LockedFile.WaitsForWhoeverHasTheLock",
    "ledger_is_not_synced": "LockedFile.IsOnTheDiskBeforeALineCounts",
    "ledger_refunds_failures": (
        "Ledger.CountsAReservationWithoutACommit",
        "LedgerGame.IsNotWonByAnyAdversaryByEnumeration",
    ),
    # Commit before reserve.
    "ledger_reserves_after_the_fit": (
        "Charge.ReservesBeforeTheRecordsAndCommitsAfterThem",
        "ChargedFit.HasItsReservationInTheFileFromItsFirstStepOn",
    ),
    "ledger_members_are_not_compared": (
        "LedgerPlan.RefusesAMemberInItsFileThatCostsMoreThanWasPlanned"
    ),
    "ledger_unit_is_not_compared": "Ledger.RefusesAnotherRelationUnitAndWhatHasNoGuarantee",
    # The winner's epsilon reported for the procedure.
    "tuning_states_the_chosen_fit_alone": (
        "TappedTuning.DoesWhatItsStatementChargesAndNothingElse"
    ),
    "score_without_noise": "TappedTuning.RunsAsOftenAsTheLawGave",
    "runs_are_capped": "TappedTuning.RunsAsOftenAsTheLawGave",
    "runs_are_in_the_file": "TappedTuning.RunsAsOftenAsTheLawGave",
    "runs_are_in_the_progress": "TappedTuning.RunsAsOftenAsTheLawGave",
    "failed_run_ends_the_rest": "TappedTuning.GoesOnAfterARunThatFails",
    # Parts that overlap, summed by the maximum.
    "figures_of_the_choices_records": "TappedTuning.ChangesOnePartWithOneUnit",
    "poisson_mean_may_be_below_one": "RunLaw.RefusesMeansBelowOne",
}


def declared_faults(header: str) -> list[str]:
    return re.findall(r"^\s*X\((\w+)\)", header, re.MULTILINE)


def outcome(program: str, test: str, fault: str) -> str:
    """'passes', 'fails', or what else became of the program."""
    environment = {**os.environ, "SOUTHWELL_FAULT": fault}
    command = [program, f"--gtest_filter={test}", "--gtest_brief=1"]
    try:
        run = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "hangs"
    if not re.search(r"\[==========\] [1-9]\d* tests? from", run.stdout):
        return "no such test" if run.returncode == 0 else f"stops with {run.returncode}"
    return "passes" if run.returncode == 0 else "fails"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    options = parser.parse_args()

    declared = declared_faults(FAULTS.read_text(encoding="utf-8"))
    if sorted(declared) != sorted(KILLED_BY):
        print(f"not in both fault.hpp and the table: {set(declared) ^ set(KILLED_BY)}")
        return 1
    width = max(map(len, declared))
    survived = 0
    clean: dict[str, str] = {}
    for fault in declared:
        named = KILLED_BY[fault]
        for test in (named,) if isinstance(named, str) else named:  # one for each of its places
            if test not in clean:
                clean[test] = outcome(options.program, test, "")
            found = outcome(options.program, test, fault)
            killed = clean[test] == "passes" and found == "fails"
            lives = f"SURVIVED ({clean[test]} without it, {found} with it)"
            print(f"{fault:{width}} | {test} | {'killed' if killed else lives}", flush=True)
            survived += not killed
    print(f"{survived} survived" if survived else "all killed")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
