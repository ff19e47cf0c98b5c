package tightness

import (
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Study declares the study. The numbers have the meanings of the fields of exact.Solution.
//
// Source: Grosse, Ancha and Roy 2016, Appendix B: Figure 3 and the numbers of B.1.1.
func Study() *study.Study[subject.Case, Options, Row] {
	return study.New(Options{}, plan, study.Declaration{
		Says: columns.Sentence{Least: "J", Text: "{toy}, T = {T}: J = {J} nats, and the bound B = {B} nats"},
		Name: "tightness",
		Asks: "How tight is the bound? Exact J beside exact B",
		Help: `tightness computes the exact Jeffreys divergence J between the output of
annealed importance sampling and its target, and the exact expectation B of the
bound on J that bidirectional Monte Carlo reports.

Without flags it reproduces Appendix B of Grosse, Ancha and Roy (2016), and
compares its numbers with the printed ones. log_z is the log of the sum of f
over all states; log_z_ratio is log(Z_T/Z_1). --certify takes the geometric
path from uniform, the kernels metropolis and barker, and targets without
zeros. To compare kernels, paths or schedules in one table, run a sweep.

See breadboard help terms.`,
		Examples: `  breadboard tightness
  breadboard tightness --toy file:target.csv -T 50 --kernel barker
  breadboard tightness --toy easy,barrier --until "J<0.01"
  breadboard tightness --toy easy -T 1000 --check-that "J<0.1,B<=1"`,
		Counts: "solving", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{
					Name: "check",
					To:   study.Switch(&o.Check),
				},
				{
					Name: "certify",
					To:   study.Switch(&o.Certify),
				},
			}
		}),
		Columns: fields(), Size: &study.Size{Least: 2, Most: 1_000_000}, // neither J nor B need fall with T
		View:  reports.Untyped(Report),
		About: subject.Annealed(subject.PaperDistributions()...),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "tightness", Of: Table(nil)},
				{Table: "checks", Of: table.Empty(identityFields()), InFile: true},
				{Table: "certificates", Of: Certificates(nil), InFile: true},
			}
		},
		Swept: &study.Swept{
			Parameters: subject.Parameters(), Subject: study.TheCase,
			Note: study.NoteOf(func(r *Row) (string, error) { return r.rowNote(), nil }),
			Restore: func(k study.StoredRow) any {
				return &Row{Solution: &exact.Solution{J: k.Get("J"), B: k.Get("B")}}
			},
		},
	})
}

// divergenceTolerance is the promised relative error of J and both divergences. If a note reports
// lost digits, all three have lost the same ones.
const divergenceTolerance = 1e-12

// fields lists the columns of the study. The unit of a kept column without a title is for the axes
// of figures.
func fields() columns.List {
	return slices.Concat(subject.WholeCase((*Row).TheCase),
		exactFields(),
		columns.List{
			printed("J_printed", "J",
				"J as printed in Grosse, Ancha and Roy 2016"),
			printed("B_printed", "B", "B as printed there"),
			printed("relative_error_printed", "relative_error",
				"the relative error as printed there"),
			printed("dominant_mode_mass_printed", "dominant_mode_mass",
				"dominant_mode_mass as printed there"),
			columns.ForPeople("printed J, B, error", allPrinted),
			columns.Any("as_printed", "as printed", columns.Bool,
				"whether all numbers of the row round to the printed ones",
				asPrinted),
			columns.Of("log_z", "", columns.MeansLogZ, func(r *Row) number.Bounded {
				return columns.LogRatio(number.LogSumExp(r.Toy.G))
			}).Absolute().In("nats"),
			columns.Note((*Row).allNotes),
		},
		digitsFields())
}

// exactFields lists the columns of the exact numbers, which sweeps keep.
func exactFields() columns.List {
	infinite := math.Inf(1)
	nats := func(name, title, meaning string, low, high float64,
		of func(exact.Numbers) number.Bounded) columns.Field {
		kept := columns.Kept{Low: low, High: high, Missing: true, Shown: title != ""}
		value := func(r *Row) number.Bounded { return of(r.Numbers()) }
		return columns.Of(name, title, meaning, value).In("nats").Keep(kept)
	}
	derived := func(shown bool) columns.Kept { return columns.Kept{Derived: true, Shown: shown} }
	return columns.List{
		nats("J", "J", columns.MeansJ, 0, infinite,
			func(n exact.Numbers) number.Bounded { return n.J }).Answer(),
		// B must be at least zero, unless a note reports that its digits are lost.
		nats("B", "B", columns.MeansB, -infinite, infinite,
			func(n exact.Numbers) number.Bounded { return n.B }).Answer(),
		nats("kl_q_p", "", columns.MeansKLQP, 0, infinite,
			func(n exact.Numbers) number.Bounded { return n.KLQP }),
		nats("kl_p_q", "", columns.MeansKLPQ, 0, infinite,
			func(n exact.Numbers) number.Bounded { return n.KLPQ }),
		nats("mean_log_w_forward", "", "the mean log weight of forward chains", -infinite, math.MaxFloat64,
			func(n exact.Numbers) number.Bounded { return n.MeanLogWForward }).Absolute(),
		nats("mean_log_w_reverse", "", "the mean log weight of reverse chains", -math.MaxFloat64, infinite,
			func(n exact.Numbers) number.Bounded { return n.MeanLogWReverse }).Absolute(),
		nats("log_z_ratio", "", columns.MeansLogZRatio, -math.MaxFloat64, math.MaxFloat64,
			func(n exact.Numbers) number.Bounded { return n.LogZRatio }).Absolute(),
		columns.Of("B_over_J", "B/J", "B/J", func(r *Row) number.Bounded { n := r.Numbers(); return n.B.Over(n.J) }).
			Answer().Digits(5).Keep(derived(true)),
		columns.Of("relative_error", "", "B/J - 1, the relative error of B", (*Row).relative).Keep(derived(false)),
		columns.Of("relative_error_rounded", "",
			"B/J - 1 from J and B at three digits each",
			(*Row).rounded).Keep(derived(false)),
		columns.Of("dominant_mode_mass",
			"", "the target's mass in its dominant mode",
			func(r *Row) float64 { return r.ModeMass }).OrEmpty().Within(0, 1+divergenceTolerance).Missing(),
	}
}

// rounded returns RoundedError, of which nothing is known if J or B does not have three digits.
func (r *Row) rounded() number.Bounded {
	n := r.Numbers()
	for _, v := range []number.Bounded{n.J, n.B} {
		if v.Error > 5e-4*math.Abs(v.Value) {
			return number.Within(r.RoundedError(), math.Inf(1))
		}
	}
	return number.Exactly(r.RoundedError())
}

// relative returns B/J - 1 with the bound on its error.
func (r *Row) relative() number.Bounded {
	n := r.Numbers()
	return n.B.Minus(n.J).Over(n.J)
}

// rowNote returns the notes of the row.
func (r *Row) rowNote() string { return strings.Join(r.Notes, "; ") }

// printed returns the field of the printed number of a quantity.
func printed(name, quantity, meaning string) columns.Field {
	return columns.Any(name, "", columns.String, meaning, func(r *Row) any {
		var text any
		for _, c := range r.Printed {
			if c.Quantity == quantity {
				text = c.Text
			}
		}
		return text
	})
}

// allPrinted returns the printed J, B and relative error in one cell, with a dash for a missing
// number that others follow.
func allPrinted(r *Row) any {
	list := []string{"-", "-", "-"}
	for _, c := range r.Printed {
		if k := slices.Index([]string{"J", "B", "relative_error"}, c.Quantity); k >= 0 {
			list[k] = c.Text
		}
	}
	return strings.TrimLeft(strings.TrimRight(strings.Join(list, ", "), "-, "), " ")
}

func asPrinted(r *Row) any {
	switch all, rounded, known := r.AsPrinted(); {
	case !known:
		return nil
	case !all && rounded:
		return columns.Both{Machine: false, People: "if rounded"}
	default:
		return all
	}
}

// allNotes returns the notes, including those on the printed numbers.
func (r *Row) allNotes() string {
	list := slices.Clone(r.Notes)
	for _, c := range r.Printed {
		if c.Note != "" {
			list = append(list, c.Note)
		}
	}
	return strings.Join(list, "; ")
}

// digitsFields returns the columns with the numbers of correct digits, which are empty without
// certificates. Machines see the number for each quantity, people the smallest of a row.
func digitsFields() columns.List {
	fields := columns.List{
		columns.ForPeople("digits", func(r *Row) any {
			if r.Certificates == nil {
				return nil
			}
			worst, _ := r.Worst()
			return int(math.Floor(worst.Digits))
		}),
	}
	for _, quantity := range certifiedQuantities() {
		fields = append(fields, columns.Any("digits_"+quantity,
			"", columns.Float, "the number of correct decimal digits of "+quantity+
				"; empty unless digits are certified", func(r *Row) any {
				k := slices.IndexFunc(r.Certificates, func(c Certificate) bool { return c.Quantity == quantity })
				if k < 0 {
					return nil
				}
				return r.Certificates[k].Digits
			}))
	}
	return fields
}
