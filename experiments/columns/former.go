package columns

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/selector"
)

// former has what columns are called now whose names have changed.
var former = map[string][]string{
	"L": {"lag"}, "R": {"scans"}, "bound": {"tv_bound", "error_bound"}, "data_sets": {"datasets"}, "ess": {"ess_fraction"}, "gap": {"spectral_gap"},
	"gain_at_equal_work": {"gain"}, "gain_at_equal_work_error": {"gain_se"}, "gap_above": {"kl_p_q_upper"}, "gap_below": {"kl_q_p_upper"},
	"log_z": {"log_z_ratio"}, "lower_standard_error": {"lower_bound_se"}, "upper_standard_error": {"upper_bound_se"},
	"mean_forward": {"mean_log_w_forward"}, "mean_reverse": {"mean_log_w_reverse"}, "mean_tau": {"mean_meeting_time"},
	"best_mean_tau": {"best_mean_meeting_time"}, "mixing_true": {"mixing_time"}, "nats_error": {"nats_per_run_se"}, "over_z_error": {"mean_over_z_se"},
	"se": {"mean_se"}, "spent": {"work"}, "standard_error": {"estimate_se", "estimate_mean_se"}, "standard_error_from": {"se_from"},
}

// Unknown is the error for a name that none of the columns has. It knows former names too.
func Unknown(what, name string, known []string) error {
	base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "standard_error_"), "_error"), "_standard")
	now := append(slices.Clone(former[name]), name+"_distance")
	if base != name {
		now = append(now, base+"_se", "estimate_"+base+"_se")
	}
	if i := slices.IndexFunc(now, func(n string) bool { return slices.Contains(known, n) }); i >= 0 {
		return fmt.Errorf("unknown %s %q; it is now called %s", what, name, now[i])
	}
	return selector.UnknownError(what, name, known)
}
