package samplers

// meter turns the steps of a method into those of the study, which are about milliseconds.
type meter struct {
	report func(steps int)
	total  int     // the steps of the study that the question stands for
	of     float64 // how many steps the method makes; zero where that is not known beforehand
	made   float64 // by the method
	said   int     // of the total
}

// newMeter returns the meter of a question.
func newMeter(q *question, report func(steps int)) *meter {
	return &meter{report: report, total: q.steps(), of: float64(q.problem.Chain.Steps(q.Question, q.method))}
}

// steps returns how many steps of the study a question stands for.
func (q *question) steps() int {
	const most = 1e12 // some thirty years, so that a sum of many fits an int
	return 1 + int(min(1000*q.problem.Chain.Seconds(q.Question, q.method), most))
}

// add counts steps of the method.
func (m *meter) add(steps int) {
	m.made += float64(steps)
	if m.of > 0 {
		m.say(int(float64(m.total) * min(1, m.made/m.of)))
	}
}

// say reports that so many steps of the study are done.
func (m *meter) say(done int) {
	if m.report != nil && done > m.said {
		m.report(done - m.said)
		m.said = done
	}
}
