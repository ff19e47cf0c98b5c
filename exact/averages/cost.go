package averages

func (c *Chain) Seconds(q Question, m Method) float64 { return 0 }
func duration(s float64) string                       { return "" }
