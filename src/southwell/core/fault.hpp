#pragma once

namespace southwell {

// Faults that tests switch on, one at a time, to prove that a named test catches each
// (tools/mutants.py holds the table). Only the instrumented build knows how to: in the library that
// users install `fault` is the constant false, so the wrong branch is not compiled at all. Included
// by sources and by internal headers only, never by a header that other rooms include.

#define SOUTHWELL_FAULTS(X)               \
  X(key_is_constant)                      \
  X(entropy_failure_is_ignored)           \
  X(fork_keeps_the_key)                   \
  X(child_streams_have_the_parents_key)   \
  X(threads_share_their_bits)             \
  X(purposes_share_their_bits)            \
  X(stream_is_handed_out_twice)           \
  X(seed_taint_is_lost)                   \
  X(any_entropy_counts_as_the_systems)    \
  X(uniform_by_remainder)                 \
  X(exp_chance_counts_the_wrong_parity)   \
  X(exp_chance_forgets_the_whole_part)    \
  X(laplace_scale_is_halved)              \
  X(laplace_scale_is_5_percent_short)     \
  X(laplace_counts_zero_twice)            \
  X(gaussian_accepts_every_proposal)      \
  X(gaussian_scale_is_5_percent_short)    \
  X(gaussian_forgets_the_cross_term)      \
  X(gaussian_cells_end_with_their_table)  \
  X(scale_is_rounded_down)                \
  X(sensitivity_of_adding_when_replacing) \
  X(noise_is_used_twice)                  \
  X(noise_survives_a_fork)                \
  X(noise_of_another_scale_is_accepted)   \
  X(noise_of_another_kind_is_accepted)    \
  X(release_wraps_around)                 \
  X(release_saturates_the_noise)          \
  X(release_adds_no_noise)                \
  X(exponential_scale_is_halved)          \
  X(exponential_prefers_low_scores)       \
  X(exponential_drops_the_low_half)       \
  X(exponential_floor_is_too_high)        \
  X(exponential_cell_is_off_by_one)       \
  X(exponential_skips_the_tail)           \
  X(flip_scale_is_halved)                 \
  X(flip_prefers_low_scores)              \
  X(flip_does_not_clamp)                  \
  X(flip_replaces_what_it_drew)           \
  X(flip_is_charged_as_bounded_range)     \
  X(noisy_max_has_the_papers_scale)       \
  X(noisy_max_shares_one_draw)            \
  X(noisy_max_gives_ties_to_the_last)     \
  X(noisy_max_prefers_low_scores)         \
  X(noisy_max_does_not_clamp)             \
  X(paper_noise_has_no_absolute_value)    \
  X(paper_gs_q_takes_the_maximum)         \
  X(paper_noise_outside_the_threshold)    \
  X(clip_root_is_rounded_down)            \
  X(clip_share_is_rounded_to_nearest)     \
  X(clip_bound_is_one_more)               \
  X(clip_bound_is_one_less)               \
  X(clip_keeps_nan)                       \
  X(clip_keeps_long_records)              \
  X(block_trusts_long_records)            \
  X(block_trusts_rounded_squares)         \
  X(exponential_in_callers_environment)   \
  X(sampling_includes_the_threshold)      \
  X(composition_forgets_repeats)          \
  X(basic_forgets_the_count)              \
  X(basic_is_rounded_down)                \
  X(range_slack_is_free)                  \
  X(renyi_forgets_the_count)              \
  X(renyi_conversion_forgets_delta)       \
  X(renyi_conversion_gains_twice)         \
  X(renyi_is_rounded_down)                \
  X(range_is_halved)                      \
  X(range_closed_form_forgets_a_term)     \
  X(pure_moment_is_halved)                \
  X(laplace_moment_weighs_the_far_tail)   \
  X(gaussian_moment_is_halved)            \
  X(sampling_counts_twice)                \
  X(replacing_is_charged_as_adding)       \
  X(unsampled_replacing_is_halved)        \
  X(sampled_order_is_rounded_down)        \
  X(worst_pair_weighs_one_side)           \
  X(worst_pair_forgets_the_lattice)       \
  X(worst_pair_forgets_its_tail)          \
  X(chord_ends_at_knots)                  \
  X(chord_curve_forgets_a_use)            \
  X(curve_begins_flat)                    \
  X(curve_ends_in_nothing)                \
  X(hockey_stick_forgets_the_least)       \
  X(ranges_keep_one_order)                \
  X(hockey_stick_halves_the_shift)        \
  X(hockey_stick_forgets_the_lattice)     \
  X(hockey_stick_takes_the_unsafe_end)    \
  X(calibration_takes_the_unsafe_end)     \
  X(contribution_bound_is_one_more)       \
  X(contribution_bound_is_one_less)       \
  X(contribution_keeps_nan)               \
  X(contribution_tail_is_not_clamped)     \
  X(sparse_entries_are_not_clamped)       \
  X(slopes_of_later_parts_are_stale)      \
  X(scores_of_later_parts_are_stale)      \
  X(coordinate_slopes_are_stale)          \
  X(score_has_no_absolute_value)          \
  X(score_has_slope_two)                  \
  X(room_counts_the_whole_bound)          \
  X(slope_limit_may_pass_the_bound)       \
  X(room_forgets_the_weight)              \
  X(ids_are_compared_by_hash)             \
  X(units_are_counted_in_chunks)          \
  X(unit_bound_is_rounded_to_nearest)     \
  X(unit_weight_is_forgotten)             \
  X(unit_count_is_that_of_records)        \
  X(unit_magnitude_is_that_of_its_first)  \
  X(polish_ends_when_it_has_converged)    \
  X(moments_are_released_on_a_whim)       \
  X(moments_are_charged_and_skipped)      \
  X(moments_are_not_charged)              \
  X(moments_forget_the_weight)            \
  X(moment_bound_is_one_more)             \
  X(sgd_samples_twice_its_rate)           \
  X(sgd_keeps_its_first_batch)            \
  X(line_loss_is_not_clipped)             \
  X(choice_is_not_charged)                \
  X(choice_without_noise)                 \
  X(magnitude_score_counts_twice)         \
  X(zero_is_the_least_magnitude)          \
  X(target_scale_is_not_charged)          \
  X(target_scale_without_noise)           \
  X(reach_is_not_charged)                 \
  X(reach_without_noise)                  \
  X(reach_counts_twice)                   \
  X(fit_stops_early)                      \
  X(fit_counts_half_its_iterations)       \
  X(fit_divides_by_the_records_it_sees)   \
  X(fit_reads_its_scales_from_the_data)   \
  X(fit_refuses_nan)                      \
  X(fit_certifies_a_seed)                 \
  X(fit_forgets_what_its_start_cost)      \
  X(predictions_forget_the_record_limit)  \
  X(clip_is_of_each_head)                 \
  X(intercept_is_outside_the_clip)        \
  X(factor_is_outside_the_clip)           \
  X(factor_is_not_charged)                \
  X(record_norm_is_not_charged)           \
  X(histogram_moves_as_when_adding)       \
  X(figures_without_noise)                \
  X(figures_certify_a_seed)               \
  X(assessed_units_count_every_record)    \
  X(subset_takes_the_first)               \
  X(parts_forget_what_all_meet)           \
  X(parts_charge_the_one_dearest_alone)   \
  X(plans_have_the_whole_delta)           \
  X(split_from_a_public_seed)             \
  X(split_follows_the_target)             \
  X(figures_of_the_fits_records)          \
  X(figures_are_not_charged)              \
  X(filter_rounds_down)                   \
  X(filter_gives_delta_twice)             \
  X(ledger_adds_profiles)                 \
  X(ledger_chain_is_not_checked)          \
  X(ledger_is_not_locked)                 \
  X(ledger_is_not_synced)                 \
  X(ledger_refunds_failures)              \
  X(ledger_reserves_after_the_fit)        \
  X(ledger_members_are_not_compared)      \
  X(ledger_unit_is_not_compared)          \
  X(tuning_states_the_chosen_fit_alone)   \
  X(score_without_noise)                  \
  X(runs_are_capped)                      \
  X(runs_are_in_the_file)                 \
  X(runs_are_in_the_progress)             \
  X(failed_run_ends_the_rest)             \
  X(figures_of_the_choices_records)       \
  X(poisson_mean_may_be_below_one)

enum class Fault : int {
  none,
#define SOUTHWELL_NAME(name) name,
  SOUTHWELL_FAULTS(SOUTHWELL_NAME)
#undef SOUTHWELL_NAME
};

#ifdef SOUTHWELL_INSTRUMENTED
/// The fault named by the environment variable SOUTHWELL_FAULT; an unknown name ends the program.
Fault active_fault();
inline bool fault(Fault which) {
  static const Fault active = active_fault();
  return which == active;
}
#else
consteval bool fault(Fault) { return false; }
#endif

}  // namespace southwell
