{{- define "chat.fullname" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- define "chat.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "chat.gpuResources" -}}
requests:
  nvidia.com/gpu: {{ .count }}
limits:
  nvidia.com/gpu: {{ .count }}
{{- end }}
