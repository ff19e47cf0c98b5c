package rank

import (
	"breadboard/experiments/columns"
	"breadboard/experiments/samplers"
)

// Name returns the name of the estimate in columns for machines.
func (e Estimate) Name() string { return [estimates]string{"mean", "var", "cvm"}[e] }

// Title returns the name of the estimate in columns for people.
func (e Estimate) Title() string { return [estimates]string{"mean", "variance", "CvM"}[e] }

// fields lists the columns of the study.
func fields() []columns.Field[Row] {
	fields := samplers.SettingColumns(func(r *Row) *samplers.Setting { return &r.Setting }, "toy", "kernel", "start", "warmup", "function", "N")
	add := func(name string, kind columns.Type, title, meaning string, of func(*Row) any) {
		fields = append(fields, columns.Field[Row]{Column: columns.Column{Name: name, Type: kind, Title: title, Digits: 4, Meaning: meaning}, Of: of})
	}
	add("work", columns.Float, "work", "the evaluations of log f of a chain", func(r *Row) any { return r.Work })
	add("median_N", columns.Float, "", "the median number of samples of the competitors on the same example", func(r *Row) any { return r.Median })
	add("competitors", columns.Int, "", "the number of competitors on the example, this one among them", func(r *Row) any { return r.Competitors })
	for e := range estimates {
		add("ress_"+e.Name(), columns.Float, "RESS "+e.Title(), "the real effective sample size of the "+e.Title(), func(r *Row) any { return r.Scores[e].RESS })
		add("ness_"+e.Name(), columns.Float, "", "ress_"+e.Name()+" over median_N", func(r *Row) any { return r.Scores[e].NESS })
		add("rank_"+e.Name(), columns.Float, "", "the rank by ress_"+e.Name()+" among the competitors, from 1, the best; those that are equal share the mean", func(r *Row) any { return r.Scores[e].Rank })
	}
	add("eff", columns.Float, "", "the real effective sample size of the mean over N", func(r *Row) any { return r.Scores[Mean].RESS / float64(r.N) })
	add("p_success", columns.Float, "P(success)", "the probability that the real effective sample size of all chains is enough", func(r *Row) any { return r.Success })
	add("p_success_by", columns.String, "by", "how p_success is known: law, bounds or Gaussian", func(r *Row) any { return string(r.SuccessBy) })
	add("dropped", columns.Int, "best dropped", "how many of the first samples it is best to drop", func(r *Row) any { return int(r.Dropped) })
	add("drop_gain", columns.Float, "its gain", "by which factor dropping them makes RESS of the mean larger", func(r *Row) any { return r.DropGain })
	return fields
}
