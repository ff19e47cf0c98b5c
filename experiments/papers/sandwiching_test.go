package papers

import (
	"math"
	"testing"

	"breadboard/grid/longtest"
)

// TestUnbiased: a bias in one row alone, upwards or downwards, is a bias.
func TestUnbiased(t *testing.T) {
	for table, want := range map[string]bool{
		`[{"log_mean_z": -19, "log_z_ratio": -19}, {"log_mean_z": 2.5, "log_z_ratio": 2.5}]`:     true,
		`[{"log_mean_z": -19, "log_z_ratio": -19}, {"log_mean_z": 2.50001, "log_z_ratio": 2.5}]`: false,
		`[{"log_mean_z": 2.49999, "log_z_ratio": 2.5}, {"log_mean_z": -19, "log_z_ratio": -19}]`: false,
		`[{"log_mean_z": "NaN", "log_z_ratio": 2.5}]`:                                            false,
	} {
		if a := answered(t, table); isUnbiased(a.In(0)) != want || a.err != nil {
			t.Errorf("%s: %v; want %v (%v)", table, !want, want, a.err)
		}
	}
}

// TestIdentity: differences beyond rounding, and those that are not known, are none of an identity.
func TestIdentity(t *testing.T) {
	for table, want := range map[string]bool{`[{"value": 1e-16}, {"value": 0}]`: true, `[{"value": 0}, {"value": 1e-9}]`: false, `[{"value": "NaN"}, {"value": 0}]`: false} {
		if a := answered(t, table); isIdentity(a.In(0)) != want || a.err != nil {
			t.Errorf("%s: %v; want %v (%v)", table, !want, want, a.err)
		}
	}
}

// TestHiddenNumber: a number that is not shown is that of one row, as one that is shown.
func TestHiddenNumber(t *testing.T) {
	a := answered(t, `[{"T": 1, "B": 2}, {"T": 3, "B": 4}]`)
	if v := a.In(0).HiddenNumber("B", "T=3"); v != 4 || a.err != nil || len(a.Read()) > 0 {
		t.Errorf("%v, %v, %v", v, a.err, a.Read())
	}
	if v := a.In(0).HiddenNumber("B"); !math.IsNaN(v) || a.err == nil {
		t.Errorf("of two rows it is %v, %v", v, a.err)
	}
}

// TestSandwichingWithoutRows: an answer without the rows or columns that a claim reads is no verdict and no panic.
func TestSandwichingWithoutRows(t *testing.T) {
	for _, c := range sandwiching() {
		for _, text := range []string{`[]`, `[{"toy": "easy", "estimator": "ns", "bias": null}]`} {
			var tables []Table
			for range c.Commands {
				table := longtest.Must(ParseTable([]byte(text)))(t)
				tables = append(tables, table)
			}
			if v, err := c.Judge(NewAnswers(c.Commands, tables)); err == nil && v == c.Verdict && len(c.Commands) > 0 {
				t.Errorf("%s has the verdict %q from %s", c.ID, v, text)
			}
		}
	}
}
