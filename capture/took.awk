# How long operations took when they were measured again: awk -f took.awk AGAIN FIRST prints the times of FIRST with what every operation took in AGAIN beside its own.
function number(name) {
  return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : ""
}
FNR == NR {
  if (number("start") != "") took[number("n")] = number("end") - number("start")
  next
}
number("start") != "" && number("n") in took {
  if (!/"took":/) sub(/}$/, ",\"took\":[" number("end") - number("start") "]}")
  sub(/]}$/, "," took[number("n")] "]}")
}
{ print }
