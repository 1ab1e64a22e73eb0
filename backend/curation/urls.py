from __future__ import annotations

from django.urls import path

from backend.curation import api, calibration_api, difficulty_api, gallery_api, map_api, selection_api

CALIBRATION = "projects/<slug:slug>/calibrations/<int:record_id>"

urlpatterns = [
    path("projects/<slug:slug>/gallery", gallery_api.GalleryApi.as_view()),
    path("projects/<slug:slug>/gallery/marks", gallery_api.ImageMarksApi.as_view()),
    path("projects/<slug:slug>/selection/summary", selection_api.SelectionSummaryApi.as_view()),
    path("projects/<slug:slug>/selection/images", selection_api.SelectionListApi.as_view()),
    path("projects/<slug:slug>/selection/short_pools/more", selection_api.ShortPoolsMoreApi.as_view()),
    path("projects/<slug:slug>/captions/<int:candidate_id>/choice", selection_api.CaptionChoiceApi.as_view()),
    path("projects/<slug:slug>/consensus", api.ConsensusSummaryApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/selection", api.SelectionApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/caption_space", selection_api.CaptionSpaceApi.as_view()),
    path("projects/<slug:slug>/images/<int:image_id>/votes", api.VotesListApi.as_view()),
    path("projects/<slug:slug>/map", map_api.MapApi.as_view()),
    path("projects/<slug:slug>/map/points", map_api.MapPointsApi.as_view()),
    path("projects/<slug:slug>/map/columns", map_api.MapColumnsApi.as_view()),
    path("projects/<slug:slug>/map/thumbnails", map_api.MapThumbnailsApi.as_view()),
    path("projects/<slug:slug>/calibrations", calibration_api.CalibrationsApi.as_view()),
    path(CALIBRATION, calibration_api.CalibrationApi.as_view()),
    path(f"{CALIBRATION}/record.json", calibration_api.CalibrationJsonApi.as_view(), name="calibration-json"),
    path(f"{CALIBRATION}/curve.csv", calibration_api.CalibrationCsvApi.as_view(), name="calibration-csv"),
    path("projects/<slug:slug>/difficulty/summary", difficulty_api.DifficultySummaryApi.as_view()),
    path("projects/<slug:slug>/difficulty/policy", difficulty_api.DifficultyPolicyApi.as_view()),
    path("projects/<slug:slug>/difficulty/examples", difficulty_api.DifficultyExamplesApi.as_view()),
    path("projects/<slug:slug>/difficulty/robustness", difficulty_api.RobustnessApi.as_view()),
]
